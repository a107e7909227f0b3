import { workerCaller, type JobHandler } from './job.ts'

/** Ends the task of a capture, or of a session, whose collector has not ended it; one that has ended stays as it is. */
export const endCapture: JobHandler<'end_capture'> = ({ taskId, workspaceId }, { stores }) =>
  stores.tasks.finish(workerCaller(workspaceId), taskId, {
    problem: {
      code: 'unavailable',
      detail: 'The collector did not do this in time. Look whether it still runs, and ask again.',
    },
  })
