import { z } from 'zod'
import { branch, timestamp } from '../fields.ts'
import { benchmarkReference } from './shapes.ts'

/** What says that a value is too far from those before it. */
export const thresholdTests = [
  'percentage',
  'static',
  'z_score',
  't_test',
  'log_normal',
  'iqr',
  'delta_iqr',
  'change_point',
] as const

export const thresholdTest = z
  .enum(thresholdTests)
  .describe('How a value is judged against those before it; change_point: a lasting change of level.')

/** What a threshold is for: left out means every one. */
export const thresholdTarget = {
  branch: branch.optional().describe('Only this branch.'),
  benchmark_id: benchmarkReference.optional().describe('Only this benchmark, by id or uri.'),
  metric: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Only this metric, such as time; the main one when left out.'),
}

export const thresholdShape = z.object({
  id: z.string(),
  branch: z.string().nullable(),
  benchmark_id: z.string().nullable(),
  metric: z.string().nullable(),
  test: thresholdTest,
  lower_bound: z.number().nullable(),
  upper_bound: z.number().nullable(),
  window_runs: z.number().int(),
  sample_min: z.number().int(),
  is_default: z.boolean().describe('Nobody set it: it is what every project begins with.'),
  updated_at: timestamp.nullable(),
})

export const exampleThreshold: z.output<typeof thresholdShape> = {
  id: 'thr_01',
  branch: 'main',
  benchmark_id: null,
  metric: null,
  test: 't_test',
  lower_bound: null,
  upper_bound: 0.99,
  window_runs: 64,
  sample_min: 5,
  is_default: false,
  updated_at: '2026-11-20T10:00:00.000Z',
}

/** A project may do without alerts; its pages and listings say so. */
export const alertsOffShape = z
  .object({ since: timestamp, by: z.string().nullable().describe('E-mail; null when they are gone.') })
  .nullable()
  .describe('Alerts of the project are switched off (update_project); null: they are on.')

/** The same as a line above a table. */
export function alertsOffLine(off: z.output<typeof alertsOffShape>): string {
  if (off === null) return ''
  return `Alerts are off since ${off.since}${off.by === null ? '' : `, by ${off.by}`}: no run raises any.\n\n`
}

export const alertStates = ['open', 'acknowledged', 'muted', 'resolved'] as const

export const alertShape = z.object({
  id: z.string(),
  project_id: z.string(),
  kind: z.enum(['benchmark']).describe('What it is about.'),
  state: z.enum(alertStates),
  benchmark_id: z.string(),
  uri: z.string(),
  name: z.string(),
  metric: z.string(),
  unit: z.string(),
  branch: z.string(),
  run_id: z.string().describe('The first run that was different.'),
  commit_hash: z.string(),
  verdict: z.enum(['regressed', 'improved']),
  baseline: z.number(),
  value: z.number(),
  limit: z.number().nullable().describe('The limit that was crossed; null for a change point.'),
  change_percent: z.number(),
  test: thresholdTest,
  reason: z.string().describe('Why, in words.'),
  detected_at: timestamp,
  state_by: z.string().nullable().describe('E-mail of who changed the state last.'),
  state_reason: z.string(),
  state_at: timestamp.nullable(),
  muted_until: timestamp.nullable(),
})

export const exampleAlert: z.output<typeof alertShape> = {
  id: 'alt_01',
  project_id: 'prj_01',
  kind: 'benchmark',
  state: 'open',
  benchmark_id: 'ben_01',
  uri: 'bench/pricing.bench.js::pricing::price cart',
  name: 'price cart',
  metric: 'time',
  unit: 'ns',
  branch: 'main',
  run_id: 'run_02',
  commit_hash: 'abc1234',
  verdict: 'regressed',
  baseline: 12_400,
  value: 19_800,
  limit: null,
  change_percent: 59.7,
  test: 'change_point',
  reason: 'The level rose by 59.7 % with run_02 and stayed there for 3 runs.',
  detected_at: '2026-11-20T10:00:00.000Z',
  state_by: null,
  state_reason: '',
  state_at: null,
  muted_until: null,
}
