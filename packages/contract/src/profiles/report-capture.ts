import { z } from 'zod'
import { taskId } from '../fields.ts'
import { taskStatuses } from '../general/task-status.ts'
import { defineOperation } from '../operation.ts'

export const reportCapture = defineOperation({
  id: 'report_capture',
  title: 'Report on a capture',
  description:
    'How a collector gets on with a capture: that it starts, goes on, ends with a profile, failed, or stopped because it was asked to. What has ended stays as it is.',
  toolset: 'profiles',
  effect: 'write',
  scopes: ['write', 'upload'],
  http: { method: 'POST', path: '/v1/captures/{task_id}/reports' },
  mcp: false,
  input: z.strictObject({
    task_id: taskId,
    state: z.enum(['started', 'going_on', 'done', 'failed', 'stopped']).describe('How it stands.'),
    message: z.string().max(2000).default('').describe('What it is doing, or why it failed.'),
    percent: z.number().min(0).max(100).default(0).describe('How far it is.'),
    profile_id: z.string().max(64).optional().describe('With done: the profile that came of it.'),
  }),
  output: z.object({
    project_id: z.string(),
    goes_on: z
      .boolean()
      .describe('False: stop. It was called off, or another collector of that name has started it.'),
    status: z.enum(taskStatuses),
  }),
  problems: ['task_not_found', 'profile_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'It starts',
      input: { task_id: 'tsk_01', state: 'started', message: 'Taking cpu of shop' },
      output: { project_id: 'prj_01', goes_on: true, status: 'RUNNING' },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/profiles`,
  markdown: ({ status }) => `The capture is ${status}.`,
})
