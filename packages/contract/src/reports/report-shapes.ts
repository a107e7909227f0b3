import { z } from 'zod'
import { benchResultStates, benchRowShape, benchThresholdShape } from '../bench-runs/bench-run-shapes.ts'
import { timestamp } from '../fields.ts'
import { slaVerdictShape } from '../monitoring/sla-shapes.ts'

/** A report, as listings tell of it. Its items are in its document, by the schema bench-report.json. */
export const benchReportShape = z.object({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.number().int(),
  bench_result_ids: z.array(z.string()),
  item_count: z.number().int(),
  is_trend: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
})
export type BenchReportShape = z.output<typeof benchReportShape>

export const exampleReport: BenchReportShape = {
  id: 'rep_01',
  project_id: 'prj_01',
  name: 'Checkout, 50 users',
  description: '',
  version: 1,
  bench_result_ids: ['bnr_01'],
  item_count: 12,
  is_trend: false,
  created_at: '2026-11-22T10:00:00.000Z',
  updated_at: '2026-11-22T10:00:00.000Z',
}

/** Path of the page of a report. */
export function benchReportLink({ id }: { id: string }): string {
  return `/reports/${id}`
}

/** A run, as items name it. */
export const reportRunShape = z.object({
  id: z.string(),
  name: z.string().describe('With a number after it where runs of the report have the same.'),
  state: z.enum(benchResultStates),
  is_degraded: z.boolean().describe('Less load than was asked for.'),
  started_at: timestamp.nullable(),
})

/** Failures of one action for one reason. */
export const reportErrorShape = z.object({
  action: z.number().int(),
  name: z.string(),
  error_class: z.string(),
  count: z.number(),
  share: z.number().describe('Of what was done of the action.'),
  sample_ids: z.array(z.string()).describe('get_report_errors gives the exchange of one.'),
})

const nullableNumbers = z.array(z.number().nullable())
const runsLeftOut = z.number().int().describe('That were deleted.')

/** What a report says of its runs, each time with the number that it rests on. */
export const insightShape = z.object({
  kind: z.string().describe('Such as knee, worst_action, generator_limited, errors, regression, steady.'),
  level: z.enum(['passed', 'info', 'warning', 'critical']),
  title: z.string().describe('One sentence.'),
  detail: z.string().describe('How it was found, and what to do.'),
  evidence: z
    .array(
      z.object({
        name: z.string(),
        value: z.number(),
        unit: z.string(),
        bench_result_id: z.string().nullable(),
        item_id: z.string().nullable().describe('The item of the report that shows it.'),
        second: z.number().nullable().describe('Of the run, where it is.'),
      }),
    )
    .min(1),
})
export type InsightShape = z.output<typeof insightShape>

/** One metric of one action in each run of a report. */
export const comparedShape = z.object({
  metric: z.string(),
  unit: z.string(),
  values: nullableNumbers.describe('Of each run, in the order of the report.'),
  changes: z
    .array(
      z
        .object({
          share: z.number().nullable().describe('0.1: a tenth more than in the first run.'),
          low: z.number().nullable().describe('Of a 95 % interval of the share.'),
          high: z.number().nullable(),
          verdict: z.enum(['better', 'worse', 'same', 'unknown']).describe('unknown: too little to tell.'),
        })
        .nullable(),
    )
    .describe('Against the first run, which has null.'),
})

const vitalName = z.enum(['lcp', 'inp', 'cls', 'fcp', 'ttfb'])
const vitalRating = z.enum(['good', 'needs_improvement', 'poor']).nullable()

/** Values of an item, by its `type`. */
export const itemValuesShape = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('summary'),
    numbers: z.array(
      z.object({ metric: z.string(), name: z.string(), value: z.number().nullable(), unit: z.string() }),
    ),
    thresholds: z.array(benchThresholdShape),
  }),
  z.object({
    type: z.literal('chart'),
    form: z.enum(['line', 'area', 'stacked', 'bar', 'scatter']),
    bucket_seconds: z.number(),
    seconds: z.array(z.number()).describe('Beginnings of the buckets, since the run began.'),
    lines: z.array(
      z.object({
        name: z.string(),
        metric: z.string(),
        unit: z.string(),
        axis: z.enum(['left', 'right']),
        bench_result_id: z.string(),
        values: nullableNumbers,
      }),
    ),
    actions_left_out: z.number().int().describe('With fewer requests, where lines are apart by action.'),
    runs_left_out: runsLeftOut,
  }),
  z.object({
    type: z.literal('table'),
    columns: z.array(z.string()),
    rows: z.array(benchRowShape),
    total: benchRowShape.nullable(),
  }),
  z.object({
    type: z.literal('top'),
    metric: z.string(),
    unit: z.string(),
    entries: z.array(z.object({ name: z.string(), value: z.number(), row: benchRowShape })),
  }),
  z.object({
    type: z.literal('distribution'),
    form: z.enum(['histogram', 'percentiles', 'both']),
    runs: z.array(
      z.object({
        run: reportRunShape,
        count: z.number(),
        percentiles: z.array(z.object({ percentile: z.number(), ms: z.number() })),
        bars: z.array(z.object({ from_ms: z.number(), to_ms: z.number(), count: z.number() })),
      }),
    ),
    runs_left_out: runsLeftOut,
  }),
  z.object({
    type: z.literal('errors'),
    total: z.number(),
    errors: z.array(reportErrorShape),
  }),
  z.object({
    type: z.literal('phases'),
    rows: z.array(
      z.object({
        action: z.number().int(),
        name: z.string().describe('With a number after it where actions have the same.'),
        dns: z.number(),
        connect: z.number(),
        tls: z.number(),
        wait: z.number(),
        download: z.number(),
      }),
    ),
  }),
  z.object({
    type: z.literal('web_vitals'),
    page_loads: z.number().int(),
    is_cut: z.boolean().describe('There were more page loads than are kept.'),
    vitals: z.array(
      z.object({
        vital: vitalName,
        name: z.string(),
        unit: z.string(),
        count: z.number().int().describe('Page loads of which it is known.'),
        p75: z.number().nullable().describe('The value that it is rated by.'),
        rating: vitalRating,
        good_max: z.number(),
        poor_above: z.number(),
        good: z.number().int().describe('Page loads that are, each by itself.'),
        needs_improvement: z.number().int(),
        poor: z.number().int(),
      }),
    ),
    pages: z.array(
      z.object({
        page: z.string().describe('Path, in which numbers and ids are {…}.'),
        page_loads: z.number().int(),
        vitals: z.array(z.object({ vital: vitalName, p75: z.number().nullable(), rating: vitalRating })),
      }),
    ),
  }),
  z.object({
    type: z.literal('thresholds'),
    thresholds: z.array(benchThresholdShape),
    bands: z.array(slaVerdictShape).describe('Of SLA profiles.'),
  }),
  z.object({
    type: z.literal('generators'),
    generators: z.array(
      z.object({
        slot: z.number().int(),
        agent_group: z.string(),
        name: z.string(),
        state: z.string(),
        users_max: z.number().nullable(),
        cpu_share_max: z.number().nullable(),
        send_lag_max_ms: z.number().nullable(),
        event_loop_delay_max_ms: z.number().nullable(),
        limited_seconds: z.number().describe('In which it was the bottleneck.'),
      }),
    ),
    events: z.array(z.object({ at: timestamp, kind: z.string(), words: z.string() })),
  }),
  z.object({
    type: z.literal('monitors'),
    seconds: z.array(z.number()),
    counters: z.array(
      z.object({
        monitor_id: z.string(),
        monitor: z.string(),
        counter: z.string(),
        unit: z.string(),
        values: nullableNumbers,
      }),
    ),
    alarms: z.array(
      z.object({
        monitor: z.string(),
        counter: z.string(),
        severity: z.enum(['warning', 'critical']),
        second: z.number(),
        value: z.number(),
        words: z.string(),
      }),
    ),
  }),
  z.object({ type: z.literal('text'), markdown: z.string() }),
  z.object({ type: z.literal('insights'), insights: z.array(insightShape) }),
  z.object({
    type: z.literal('comparison'),
    runs: z.array(reportRunShape),
    rows: z.array(z.object({ name: z.string(), metrics: z.array(comparedShape) })),
  }),
  z.object({
    type: z.literal('trend'),
    lines: z.array(
      z.object({
        metric: z.string(),
        unit: z.string(),
        points: z.array(z.object({ run: reportRunShape, value: z.number().nullable() })),
        changes: z
          .array(
            z.object({
              index: z.number().int(),
              before: z.number().describe('Median of the level before, in the unit of the line.'),
              after: z.number(),
              share: z.number().nullable().describe('0.1: a tenth more than before. null: it was 0 before.'),
              verdict: z.enum(['better', 'worse', 'changed']),
            }),
          )
          .describe('Change points, by the place of the first point of the new level.'),
      }),
    ),
  }),
])
export type ItemValuesShape = z.output<typeof itemValuesShape>
