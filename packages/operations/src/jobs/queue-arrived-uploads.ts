import { startImport } from '../uploads.ts'
import { workerCaller, type JobDeps } from './job.ts'

/**
 * Queues the imports of uploads that are there, for who does not ask: nobody may, or the queue may have lost what was asked for.
 * Where the job is there still, nothing happens.
 */
export async function queueArrivedUploads(
  tasks: readonly { workspaceId: string; id: string }[],
  deps: Pick<JobDeps, 'stores' | 'storage' | 'queue'>,
): Promise<void> {
  for (const { workspaceId, id } of tasks) {
    const caller = workerCaller(workspaceId)
    // oxlint-disable no-await-in-loop -- a storage or a queue that is away fails the first one
    const task = await deps.stores.tasks.find(caller, id)
    if (task?.status === 'PENDING') {
      await startImport({ caller, deps, requestId: `arrived_${id}` }, task)
    }
    // oxlint-enable no-await-in-loop
  }
}
