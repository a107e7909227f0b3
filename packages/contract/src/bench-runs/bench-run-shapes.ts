import { z } from 'zod'
import { timestamp } from '../fields.ts'

export const benchResultStates = [
  'PENDING',
  'PREPARING',
  'RUNNING',
  'STOPPING',
  'FINISHED',
  'ABORTED',
  'ERROR',
] as const
export type BenchResultState = (typeof benchResultStates)[number]

export function hasBenchEnded(state: BenchResultState): boolean {
  return state === 'FINISHED' || state === 'ABORTED' || state === 'ERROR'
}

/** A run of a scenario. */
export const benchResultShape = z.object({
  id: z.string(),
  project_id: z.string(),
  scenario_id: z.string().nullable(),
  scenario_version: z.number().int().nullable(),
  name: z.string(),
  state: z.enum(benchResultStates).describe('FINISHED, ABORTED and ERROR are final.'),
  message: z.string().describe('Why it is in its state.'),
  is_degraded: z.boolean().describe('Less load than was asked for: an agent was lost.'),
  progress: z.number().min(0).max(1).describe('Share of its duration that has passed.'),
  duration_ms: z.number().describe('How long its loads last.'),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  task_id: z.string(),
  bench_report_id: z.string().nullable().describe('The report that was made with it.'),
  imported_from: z.string().nullable().describe('Format of its results; null: measured here.'),
  tags: z.array(z.string()),
  is_baseline: z.boolean().describe('Later runs of its scenario are compared with it.'),
})
export type BenchResultShape = z.output<typeof benchResultShape>

/** What a run has seen so far, over all agents. Times are from when a request should have been sent to its last byte. */
export const benchNumbersShape = z.object({
  users: z.number().int().describe('Now; of what has ended, the most at once.'),
  count: z.number().describe('Requests and other timed actions, without containers.'),
  failed: z.number(),
  rate_per_second: z.number().describe('Over the last ten seconds; of what has ended, over all of it.'),
  mean_ms: z.number().nullable(),
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
  p99_ms: z.number().nullable(),
  max_ms: z.number().nullable(),
  sent_bytes: z.number(),
  received_bytes: z.number(),
})
export type BenchNumbersShape = z.output<typeof benchNumbersShape>

export const benchEventShape = z.object({
  at: timestamp,
  kind: z.enum(['state', 'agent', 'load', 'warning']),
  words: z.string(),
})

/** A threshold of the scenario, held against what was measured. */
export const benchThresholdShape = z.object({
  text: z.string(),
  state: z.enum(['passed', 'breached', 'no_data']),
  value: z.number().nullable().describe('What was measured, in the unit of the threshold.'),
})

/** A part of a run that one agent makes. */
export const benchShardShape = z.object({
  slot: z.number().int(),
  agent_group: z.string(),
  load_generator_id: z.string().nullable(),
  state: z.enum(['WAITING', 'PREPARING', 'READY', 'RUNNING', 'DONE', 'FAILED', 'LOST']),
  message: z.string(),
  last_seen_at: timestamp.nullable(),
})

/** An engine that others made, as an agent found it. */
export const foundEngineShape = z.object({
  type: z.enum(['k6', 'jmeter']),
  version: z.string().max(40).nullable().describe('Null: it may not be run, and was not asked.'),
  is_allowed: z.boolean().describe('Whether the owner of the machine lets scripts run there.'),
})

export const browserUsersMax = z
  .number()
  .int()
  .min(0)
  .max(1000)
  .describe('Users that it can give a browser at once; 0: it has none.')

export const loadGeneratorShape = z.object({
  id: z.string(),
  name: z.string(),
  agent_group: z.string(),
  version: z.string(),
  cores: z.number().int(),
  is_online: z.boolean().describe('Heard of within the last 30 s, and it did not say that it ends.'),
  bench_result_id: z.string().nullable().describe('The run that it works on.'),
  browser_users_max: browserUsersMax,
  engines: z.array(foundEngineShape).describe('k6 and JMeter, where they are installed.'),
  last_seen_at: timestamp,
})
export type LoadGeneratorShape = z.output<typeof loadGeneratorShape>

/** Of an agent group: what scenarios name. */
export const agentGroup = z
  .string()
  .regex(/^[\w.-]{1,60}$/, 'Use letters, digits, dots, underscores and dashes.')
  .describe('Agent group.')

export const exampleBenchResult: BenchResultShape = {
  id: 'bnr_01',
  project_id: 'prj_01',
  scenario_id: 'scn_01',
  scenario_version: 3,
  name: 'Checkout, 50 users',
  state: 'RUNNING',
  message: '',
  is_degraded: false,
  progress: 0.4,
  duration_ms: 90_000,
  created_at: '2026-11-22T10:00:00.000Z',
  started_at: '2026-11-22T10:00:04.000Z',
  ended_at: null,
  task_id: 'tsk_01',
  bench_report_id: 'rep_01',
  imported_from: null,
  tags: [],
  is_baseline: false,
}

export const exampleBenchNumbers: BenchNumbersShape = {
  users: 50,
  count: 12_040,
  failed: 3,
  rate_per_second: 402.1,
  mean_ms: 21.4,
  p50_ms: 18.2,
  p95_ms: 44.1,
  p99_ms: 91.7,
  max_ms: 412.6,
  sent_bytes: 9_120_400,
  received_bytes: 81_204_112,
}

/** Path of the page of a run. */
export function benchResultLink({ project_id, id }: { project_id: string; id: string }): string {
  return `/projects/${project_id}/bench-results/${id}`
}

/** What can be drawn of a run over time, with its unit. Times are of what was begun in a second; shares are from 0 to 1. */
export const benchMetrics = {
  rate: 'per second',
  mean: 'ms',
  min: 'ms',
  p50: 'ms',
  p75: 'ms',
  p90: 'ms',
  p95: 'ms',
  p99: 'ms',
  'p99.9': 'ms',
  max: 'ms',
  error_rate: 'per second',
  error_share: 'share',
  sent_bytes_rate: 'bytes per second',
  received_bytes_rate: 'bytes per second',
  connections_opened: 'count',
  users: 'users',
  iterations_rate: 'per second',
  cpu_share: 'share',
  event_loop_delay_max: 'ms',
  send_lag_max: 'ms',
} as const
export type BenchMetric = keyof typeof benchMetrics
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names of the object above
export const benchMetricNames = Object.keys(benchMetrics) as [BenchMetric, ...BenchMetric[]]

const milliseconds = z.number().nullable()

/** What was measured of an action, or of all of them. Times in milliseconds, from when it should have begun. */
export const benchRowShape = z.object({
  action: z.number().int().nullable().describe('Its place among the actions of the run; null: all requests.'),
  action_id: z.string().nullable(),
  type: z.string().nullable(),
  name: z.string(),
  path: z.array(z.string()).describe('Names of the containers that it is in.'),
  profile: z.string().nullable().describe('Name of the user profile.'),
  count: z.number(),
  rate_per_second: z.number(),
  mean_ms: milliseconds,
  min_ms: milliseconds,
  p50_ms: milliseconds,
  p90_ms: milliseconds,
  p95_ms: milliseconds,
  p99_ms: milliseconds,
  p99_9_ms: milliseconds,
  max_ms: milliseconds,
  failed: z.number(),
  error_share: z.number().nullable(),
  sent_bytes: z.number(),
  received_bytes: z.number(),
  apdex: z.number().nullable().describe('With 500 ms as satisfying.'),
  phases_ms: z
    .object({ dns: z.number(), connect: z.number(), tls: z.number(), wait: z.number(), download: z.number() })
    .nullable()
    .describe('Means over all requests.'),
})
export type BenchRowShape = z.output<typeof benchRowShape>
