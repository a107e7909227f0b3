import type { JobPayload } from '../ports/index.ts'
import { workerCaller, type JobDeps } from './job.ts'

/** Ends the task of a job that no worker could do, so that nobody waits for it for ever. */
export async function giveUpTask(
  payload: Pick<JobPayload, 'taskId' | 'workspaceId'>,
  deps: JobDeps,
): Promise<void> {
  await deps.stores.tasks.finish(workerCaller(payload.workspaceId), payload.taskId, {
    problem: {
      code: 'internal',
      detail: 'This could not be done because of a defect on our side. Try the upload again later.',
    },
  })
}
