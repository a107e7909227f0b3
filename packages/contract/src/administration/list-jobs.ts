import { z } from 'zod'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { exampleFailedJob, failedJobShape, jobNames, queueShape } from './job-shapes.ts'
import { forAdministrators } from './shapes.ts'

export const listJobs = defineOperation({
  ...forAdministrators,
  id: 'list_jobs',
  title: 'List jobs',
  description:
    'How much waits in each queue, and the jobs that were given up in the last week, newest first. For administrators of the installation.',
  effect: 'read',
  http: { method: 'GET', path: '/v1/admin/jobs' },
  input: z.strictObject({
    name: z.enum(jobNames).optional().describe('Only failed jobs of this kind.'),
    ...pageInput,
  }),
  output: z.object({ queues: z.array(queueShape), failed_jobs: z.array(failedJobShape), ...pageOutput }),
  problems: ['job_not_found', 'cursor_invalid', 'unavailable'],
  examples: [
    {
      title: 'One that failed',
      input: {},
      output: {
        queues: [
          {
            queue: 'flamegate',
            waiting: 12,
            active: 4,
            delayed: 1,
            blocked: 0,
            failed: 1,
            oldest_waiting_ms: 1500,
          },
        ],
        failed_jobs: [exampleFailedJob],
        next_cursor: null,
      },
    },
  ],
  link: () => '/admin/jobs',
  markdown: ({ queues, failed_jobs, next_cursor }) =>
    [
      table(
        [
          'Queue',
          { title: 'Waiting', right: true },
          { title: 'Active', right: true },
          { title: 'Delayed', right: true },
          { title: 'Blocked', right: true },
          { title: 'Failed', right: true },
        ],
        queues.map((each) => [
          each.queue,
          each.waiting,
          each.active,
          each.delayed,
          each.blocked,
          each.failed,
        ]),
        'There is no queue.',
      ),
      table(
        ['Failed job', 'Id', 'Workspace', { title: 'Attempts', right: true }, 'Reason', 'At'],
        failed_jobs.map((job) => [
          job.name,
          job.job_id,
          job.workspace_id,
          job.attempts,
          job.reason,
          job.failed_at,
        ]),
        'No job has failed.',
      ),
    ].join('\n\n') + moreLine(next_cursor),
})
