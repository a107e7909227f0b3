import { operations, Problem } from '@flamegate/contract'
import { benchResultOnWire } from '../bench-runs/on-wire.ts'
import { getBenchRun } from '../bench-runs/reaching.ts'
import { implement } from '../implement.ts'

export const updateBenchResult = implement(operations.updateBenchResult)(async (input, context) => {
  const run = await getBenchRun(context, input.bench_result_id)
  const { name, tags, is_baseline: isBaseline } = input
  if (isBaseline === true && run.scenarioId === null) {
    const message = 'It is of no scenario, so no later run would be compared with it.'
    throw new Problem('invalid_input', message, { errors: [{ field: 'is_baseline', message }] })
  }
  const updated = await context.deps.stores.benchRuns.update(context.caller, run.id, {
    name,
    tags,
    isBaseline,
  })
  if (updated === undefined) throw new Problem('bench_result_not_found', 'It was deleted just now.')
  return { bench_result: benchResultOnWire(updated) }
})
