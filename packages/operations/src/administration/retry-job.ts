import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { failedJobOnWire, getFailedJob, isRepeatable, noSuchJob } from './failed-job-on-wire.ts'

export const retryJob = implement(operations.retryJob)(async (input, context) => {
  const job = await getFailedJob(context, input.job_id)
  if (!isRepeatable(job)) {
    throw new Problem(
      'job_not_repeatable',
      `What ${job.name} was for has ended with it. Whoever wanted it starts it anew.`,
    )
  }
  if (!(await context.deps.queueDesk.retry(job.id))) noSuchJob()
  return { job: failedJobOnWire(job) }
})
