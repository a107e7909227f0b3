import { z } from 'zod'
import { timestamp } from '../fields.ts'

/** Every kind of job; `JobPayloads` of packages/operations says what each does. */
export const jobNames = [
  'import_results',
  'import_profile',
  'import_virtual_user',
  'import_bench_result',
  'store_project_file',
  'watch_run',
  'remove_export',
  'validate_virtual_user',
  'print_bench_report',
  'export_workspace',
  'make_result_files',
  'end_capture',
  'start_scheduled_run',
  'run_bench_shard',
  'end_bench_run',
] as const

export const jobId = z
  .string()
  .min(1)
  .max(200)
  .describe('Id of a failed job; list_jobs shows them (flamegate:…).')

export const queueShape = z.object({
  queue: z
    .string()
    .describe('flamegate: jobs that do something; flamegate-watch: those that wait for agents.'),
  waiting: z.number().int(),
  active: z.number().int(),
  delayed: z.number().int().describe('Until they are due, or are tried again.'),
  blocked: z.number().int().describe('Come after others that have not ended.'),
  failed: z.number().int().describe('Given up in the last week.'),
  oldest_waiting_ms: z.number().int().describe('How long the next one has been waiting.'),
})

export const failedJobShape = z.object({
  job_id: z.string(),
  name: z.enum(jobNames),
  workspace_id: z.string(),
  task_id: z.string().describe('What it is about: mostly a task.'),
  request_id: z.string().describe('Of the request that asked for it, for the logs.'),
  reason: z.string().describe('Why the last attempt failed, shortened, without secrets.'),
  attempts: z.number().int(),
  created_at: timestamp,
  failed_at: timestamp,
  can_retry: z.boolean().describe('False: what it was for has ended, and is begun anew by its people.'),
})

export const exampleFailedJob: z.output<typeof failedJobShape> = {
  job_id: 'flamegate:1204',
  name: 'import_profile',
  workspace_id: 'ws_01',
  task_id: 'tsk_01',
  request_id: 'req_01',
  reason: 'connect ECONNREFUSED 10.0.0.7:9000',
  attempts: 8,
  created_at: '2026-11-23T10:00:00.000Z',
  failed_at: '2026-11-23T10:04:12.000Z',
  can_retry: true,
}
