import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { failedJobOnWire, getFailedJob, noSuchJob } from './failed-job-on-wire.ts'

export const removeJob = implement(operations.removeJob)(async (input, context) => {
  const job = await getFailedJob(context, input.job_id)
  if (!(await context.deps.queueDesk.removeFailed(job.id))) noSuchJob()
  return { job: failedJobOnWire(job) }
})
