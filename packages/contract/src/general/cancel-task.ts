import { z } from 'zod'
import { taskId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { taskStatuses } from './task-status.ts'

export const cancelTask = defineOperation({
  id: 'cancel_task',
  title: 'Cancel a task',
  description:
    'Call off asynchronous work. What waits ends at once; what runs ends at its next step, and leaves nothing half done. What has ended stays as it is.',
  toolset: 'general',
  effect: 'write',
  idempotent: true,
  scopes: ['write', 'upload'],
  role: 'member',
  http: { method: 'POST', path: '/v1/tasks/{task_id}/cancel' },
  input: z.strictObject({ task_id: taskId }),
  output: z.object({
    task: z.object({
      id: z.string(),
      status: z
        .enum(taskStatuses)
        .describe('RUNNING: it was asked to stop; get_task_result tells how it ended.'),
    }),
    page: z.string().describe('Path of the page that shows what came of it.'),
  }),
  problems: ['task_not_found', 'insufficient_scope'],
  examples: [
    {
      title: 'One that was waiting for its upload',
      input: { task_id: 'tsk_01' },
      output: { task: { id: 'tsk_01', status: 'CANCELLED' }, page: '/runs/run_01' },
    },
  ],
  link: ({ page }) => page,
  markdown: ({ task }) =>
    task.status === 'RUNNING'
      ? `Task ${task.id} was asked to stop. get_task_result tells how it ended.`
      : `Task ${task.id}: **${task.status}**`,
})
