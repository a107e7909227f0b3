import { z } from 'zod'
import { featureNames } from './toolset.ts'

/** Said to whoever typed something else into a field. */
const notANumber = 'Write a number.'

const most = (description: string) =>
  z.number(notANumber).int().min(0).nullable().describe(`${description} null: not limited.`)
const days = (what: string) =>
  z
    .number(notANumber)
    .int()
    .min(1)
    .max(36_500)
    .nullable()
    .describe(`Days that ${what} are kept. null: for ever.`)

/** How long a plan keeps what there is of each kind, in days. */
export const retentionDaysSchema = z.strictObject({
  runs: days('benchmark runs'),
  profiles: days('profiles'),
  bench_results: days('the results of load tests after their end'),
  live_metrics: days('what live apps told'),
  live_recordings: days('recordings of live apps'),
  mcp_sessions: days('sessions of MCP servers, where they have no shorter time of their own,'),
  audit: days('events of the audit log'),
})

/** Feature switches: what of the product workspaces of a plan have. */
export const featuresOffSchema = z
  .array(z.enum(featureNames))
  .describe(
    'Features that are off: nothing of theirs is made, changed or run; what there is can be read, stopped and deleted.',
  )

/** What a plan allows a workspace; an installation multiplies all of it but for days and features. */
export const planLimitsSchema = z.strictObject({
  calls_per_minute: most('Calls about the workspace a minute, by everybody together.'),
  uploads_per_day: most('Files and results that are sent in, a day of UTC.'),
  agent_hours_per_month: most('Hours that agents make load, a month of UTC.'),
  storage_bytes: most('Of all files.'),
  result_bytes: most('Of the series of load tests.'),
  result_file_bytes: most('Of the files of load tests; they are among storage_bytes, too.'),
  live_app_bytes: z.number(notANumber).int().min(1).describe('Of each live app; then the oldest goes.'),
  live_recording_bytes: most('Of all live recordings.'),
  mcp_report_bytes: most('Of all reports on MCP servers.'),
  load_users: most('Virtual users of one run.'),
  load_rate_per_second: most('Iterations a second that open loads of one run begin.'),
  load_duration_ms: most('How long one run may last.'),
  load_browser_users: most('Virtual users with a browser of one run.'),
  retention_days: retentionDaysSchema,
  features_off: featuresOffSchema.default([]),
})

export type PlanLimits = z.output<typeof planLimitsSchema>
