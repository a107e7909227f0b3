import type { Reading } from '../implement.ts'
import type { BenchResult } from '../ports/index.ts'

/** Ends a run that cannot go on because of us; what has ended stays as it is. Undefined when there is none. */
export async function endRun(
  { caller, deps: { stores } }: Reading,
  id: string,
  message: string,
): Promise<BenchResult | undefined> {
  const run = await stores.benchRuns.change(caller, id, (_, __, now) => ({
    run: { state: 'ERROR', message, endedAt: now },
    shards: [],
    events: [{ at: now.toISOString(), kind: 'state', words: message }],
  }))
  if (run !== undefined)
    await stores.tasks.finish(caller, run.taskId, { problem: { code: 'internal', detail: message } })
  return run
}
