import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { exampleFailedJob, failedJobShape, jobId } from './job-shapes.ts'
import { forAdministrators } from './shapes.ts'

export const retryJob = defineOperation({
  ...forAdministrators,
  id: 'retry_job',
  title: 'Retry a job',
  description:
    'Do a failed job again, with all its attempts, after what it failed of was mended; the task that ended with it goes on. For administrators of the installation.',
  effect: 'write',
  http: { method: 'POST', path: '/v1/admin/jobs/{job_id}/retry' },
  input: z.strictObject({ job_id: jobId }),
  output: z.object({ job: failedJobShape.describe('As it was.') }),
  problems: ['job_not_found', 'job_not_repeatable', 'unavailable'],
  examples: [
    {
      title: 'The storage is back',
      input: { job_id: 'flamegate:1204' },
      output: { job: exampleFailedJob },
    },
  ],
  link: () => '/admin/jobs',
  markdown: ({ job }) => `${job.name} of ${job.workspace_id} is queued again.`,
})
