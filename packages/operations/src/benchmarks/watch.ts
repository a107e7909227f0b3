import type { JobQueue, Run, UnjudgedRun } from '../ports/index.ts'

/**
 * Lets the worker judge a run that was completed just now. A queue that cannot be reached does not fail what is stored
 * already: the run says that it is not judged, and the worker looks for such runs (`judgeLater`).
 */
export async function watch(queue: JobQueue, run: Run, requestId: string): Promise<void> {
  if (run.unjudgedSince === null) return
  const unjudged = { workspaceId: run.workspaceId, runId: run.id, since: run.unjudgedSince }
  await addToQueue(queue, unjudged, requestId).catch(() => undefined)
}

/** Queues runs that nobody judged, because the queue or the worker was away when they came. */
export async function judgeLater(queue: JobQueue, runs: readonly UnjudgedRun[]): Promise<void> {
  for (const run of runs) {
    // oxlint-disable-next-line no-await-in-loop -- a queue that is away fails the first one
    await addToQueue(queue, run, `unjudged_${run.runId}`)
  }
}

/** One job for each completion, however often it is queued. */
function addToQueue(
  queue: JobQueue,
  { workspaceId, runId, since }: UnjudgedRun,
  requestId: string,
): Promise<void> {
  return queue.add('watch_run', { taskId: `${runId}.${since.getTime()}`, workspaceId, runId, requestId })
}
