import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { exampleFailedJob, failedJobShape, jobId } from './job-shapes.ts'
import { forAdministrators } from './shapes.ts'

export const removeJob = defineOperation({
  ...forAdministrators,
  id: 'remove_job',
  title: 'Remove a failed job',
  description:
    'Take a failed job off the list; after a week it goes by itself. What it was for stays as it is. For administrators of the installation.',
  effect: 'destroy',
  http: { method: 'DELETE', path: '/v1/admin/jobs/{job_id}' },
  input: z.strictObject({ job_id: jobId }),
  output: z.object({ job: failedJobShape.describe('As it was.') }),
  problems: ['job_not_found', 'unavailable'],
  examples: [
    {
      title: 'Looked into',
      input: { job_id: 'flamegate:1204' },
      output: { job: exampleFailedJob },
    },
  ],
  link: () => '/admin/jobs',
  markdown: ({ job }) => `${job.name} of ${job.workspace_id} is off the list.`,
})
