import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { runOnWire } from '../wire.ts'
import { runOfUpload } from './run-of-upload.ts'
import { readResults } from './read-results.ts'
import { watch } from './watch.ts'

export const submitBenchmarkResults = implement(operations.submitBenchmarkResults)(async (input, context) => {
  // Read first: a file that cannot be read leaves no run behind.
  const bytes = Buffer.from(input.results, 'utf8')
  const read = readResults(bytes, input.adapter)
  const { id } = await runOfUpload(context, input, bytes.length)
  const run = await context.deps.stores.runs.complete(context.caller, id, {
    ...read,
    environment: { ...read.environment, ...input.environment },
  })
  await watch(context.deps.queue, run, context.requestId)
  return { run: runOnWire(run), benchmarks: read.results.slice(0, 200).map((result) => result.uri) }
})
