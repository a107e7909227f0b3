import { z } from 'zod'
import { taskId, timestamp, waitSeconds } from '../fields.ts'
import { facts } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { taskStatuses } from './task-status.ts'

export const getTaskResult = defineOperation({
  id: 'get_task_result',
  title: 'Get the result of a task',
  description:
    'How far asynchronous work is (reading an upload, …): PENDING or RUNNING with progress, then SUCCESS with ids, FAILED with the reason, or CANCELLED. With wait_seconds it answers when the work has ended; else wait next_poll_seconds between calls.',
  toolset: 'general',
  effect: 'read',
  scopes: ['read', 'upload'],
  role: 'viewer',
  http: { method: 'GET', path: '/v1/tasks/{task_id}' },
  input: z.strictObject({
    task_id: taskId,
    wait_seconds: waitSeconds('Answer when it has ended, or after so long.'),
  }),
  output: z.object({
    task: z.object({
      id: z.string(),
      kind: z.string(),
      status: z.enum(taskStatuses).describe('SUCCESS, FAILED and CANCELLED are final.'),
      progress_percent: z.number(),
      message: z.string(),
      result: z.record(z.string(), z.unknown()).nullable(),
      problem: z.object({ code: z.string(), detail: z.string() }).nullable(),
      created_at: timestamp,
      updated_at: timestamp,
      finished_at: timestamp.nullable(),
    }),
    next_poll_seconds: z.number().int().nullable().describe('null when the task has ended.'),
    page: z.string().describe('Path of the page that shows what came of it.'),
  }),
  problems: ['task_not_found'],
  examples: [
    {
      title: 'Still running',
      input: { task_id: 'tsk_01' },
      output: {
        task: {
          id: 'tsk_01',
          kind: 'import_profile',
          status: 'RUNNING',
          progress_percent: 40,
          message: 'Reading the profile',
          result: null,
          problem: null,
          created_at: '2026-11-20T10:00:00.000Z',
          updated_at: '2026-11-20T10:00:02.000Z',
          finished_at: null,
        },
        next_poll_seconds: 1,
        page: '/profiles/prf_01',
      },
    },
  ],
  link: ({ page }) => page,
  markdown: ({ task, next_poll_seconds }) =>
    [
      `Task ${task.id}: **${task.status}** (${Math.round(task.progress_percent)} %) ${task.message}`,
      ...(task.result === null
        ? []
        : [
            facts(
              Object.fromEntries(Object.entries(task.result).map(([name, value]) => [name, inWords(value)])),
            ),
          ]),
      ...(task.problem === null ? [] : [`Failed: ${task.problem.detail} (${task.problem.code})`]),
      ...(next_poll_seconds === null ? [] : [`Ask again in ${next_poll_seconds} s, or with wait_seconds.`]),
    ].join('\n\n'),
})

function inWords(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
