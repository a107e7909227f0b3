import { newId } from '@flamegate/contract'
import type { JobQueue, Run } from '../ports/index.ts'

/**
 * Lets the worker judge a run that was completed just now. A queue that cannot be reached does not fail what is stored
 * already: readiness tells of it, and a lasting change is found with the next run as well.
 */
export async function watch(queue: JobQueue, run: Run, requestId: string): Promise<void> {
  const job = { taskId: newId('task'), workspaceId: run.workspaceId, runId: run.id, requestId }
  await queue.add('watch_run', job).catch(() => undefined)
}
