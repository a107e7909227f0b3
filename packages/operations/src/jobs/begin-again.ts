import type { JobPayload } from '../ports/index.ts'
import { workerCaller, type JobDeps } from './job.ts'

/** Opens the task of a job that an administrator has done again, where giving it up had ended the task. As often as one likes. */
export async function beginAgain(
  { taskId, workspaceId, isRetried }: JobPayload,
  { stores }: Pick<JobDeps, 'stores'>,
): Promise<void> {
  if (isRetried === true) await stores.tasks.reopen(workerCaller(workspaceId), taskId)
}
