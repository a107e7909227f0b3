import { workerCaller, type JobHandler } from './job.ts'
import { isTooEarly } from './too-early.ts'

/** Ends the task of a capture, or of a session, whose collector has not ended it; one that has ended stays as it is. */
export const endCapture: JobHandler<'end_capture'> = async (payload, deps) => {
  const { taskId, workspaceId, waitMs } = payload
  const caller = workerCaller(workspaceId)
  if (waitMs !== undefined && (await isTooEarly(caller, { name: 'end_capture', payload, waitMs }, deps)))
    return
  await deps.stores.tasks.finish(caller, taskId, {
    problem: {
      code: 'unavailable',
      detail: 'The collector did not do this in time. Look whether it still runs, and ask again.',
    },
  })
}
