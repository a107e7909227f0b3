import { z } from 'zod'
import { thresholdScope } from '../scenario/threshold.ts'
import { rowMetricNames, seriesMetricNames } from './series-metrics.ts'

/** Items of a report, at most. */
const itemsMax = 100
/** Runs that one report is about, at most; a trend finds its own. */
export const reportRunsMax = 10

const common = {
  id: z.string().min(1).max(64).describe('Unique in the report; get_report_item_values names it.'),
  title: z.string().max(120).default('').describe('Empty: the usual one of its type.'),
  run: z
    .int()
    .min(0)
    .max(reportRunsMax - 1)
    .default(0)
    .describe('Place among bench_result_ids of the run that it is about.'),
  from_second: z.int().min(0).default(0).describe('Since the run began.'),
  to_second: z.int().min(1).nullable().default(null).describe('null: up to the end.'),
}

const scope = thresholdScope.prefault({ type: 'whole' })
const rowMetric = z.enum(rowMetricNames)

const chartLine = z.strictObject({
  metric: z.enum(seriesMetricNames),
  axis: z.enum(['left', 'right']).default('left'),
  scope,
  run: z
    .int()
    .min(0)
    .max(reportRunsMax - 1)
    .nullable()
    .default(null)
    .describe('Another run than that of the item.'),
  name: z.string().max(120).default('').describe('Empty: the metric and what it is of.'),
})

/** One part of a report, by its `type`. */
export const reportItem = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('summary'),
      ...common,
      metrics: z
        .array(rowMetric)
        .min(1)
        .max(15)
        .default(['count', 'rate', 'mean', 'p95', 'p99', 'error_share']),
    })
    .describe('Numbers of the whole run, and whether it kept to its thresholds.'),
  z
    .strictObject({
      type: z.literal('chart'),
      ...common,
      form: z
        .enum(['line', 'area', 'stacked', 'bar', 'scatter'])
        .default('line')
        .describe('scatter: the second line against the first.'),
      lines: z.array(chartLine).min(1).max(12),
      apart: z
        .enum(['profile', 'action', 'agent'])
        .nullable()
        .default(null)
        .describe('Each line once for each of them.'),
      time: z
        .enum(['response', 'service'])
        .default('response')
        .describe('response: from when it should have been sent; service: from when it was.'),
    })
    .describe('Metrics over the time of the run.'),
  z
    .strictObject({
      type: z.literal('table'),
      ...common,
      rows: z.enum(['all', 'actions', 'containers']).default('all'),
      columns: z
        .array(rowMetric)
        .min(1)
        .max(15)
        .default(['count', 'rate', 'mean', 'p50', 'p95', 'p99', 'max', 'failed']),
    })
    .describe('A row for each action and container.'),
  z
    .strictObject({
      type: z.literal('top'),
      ...common,
      metric: rowMetric.default('p95'),
      rows: z.enum(['actions', 'containers']).default('actions'),
      count: z.int().min(1).max(50).default(10),
    })
    .describe('The actions with the most of a metric.'),
  z
    .strictObject({
      type: z.literal('distribution'),
      ...common,
      scope,
      runs: z
        .array(
          z
            .int()
            .min(0)
            .max(reportRunsMax - 1),
        )
        .max(reportRunsMax)
        .default([])
        .describe('These runs side by side; else that of the item.'),
      form: z.enum(['histogram', 'percentiles', 'both']).default('both'),
    })
    .describe('How the response times are distributed.'),
  z
    .strictObject({ type: z.literal('errors'), ...common })
    .describe('Errors by action and class, with samples.'),
  z
    .strictObject({ type: z.literal('phases'), ...common, count: z.int().min(1).max(50).default(15) })
    .describe('What the time of each request went into: DNS, connect, TLS, wait, download.'),
  z
    .strictObject({
      type: z.literal('web_vitals'),
      ...common,
      scope,
      count: z.int().min(1).max(50).default(10).describe('Pages that are told apart, at most.'),
    })
    .describe(
      'What loading pages was like in a real browser: LCP, INP, CLS, FCP, TTFB at p75, also by page.',
    ),
  z
    .strictObject({ type: z.literal('thresholds'), ...common })
    .describe('Thresholds and SLA profiles, held against what was measured.'),
  z
    .strictObject({ type: z.literal('generators'), ...common })
    .describe('The agents: users that they ran, and whether they were the bottleneck.'),
  z
    .strictObject({
      type: z.literal('monitors'),
      ...common,
      monitor_id: z.string().max(64).nullable().default(null).describe('null: all of the run.'),
      counters: z.array(z.string().max(200)).max(50).default([]).describe('Empty: all of them.'),
    })
    .describe('Counters of the system under test.'),
  z
    .strictObject({ type: z.literal('text'), ...common, markdown: z.string().max(20_000) })
    .describe('Words of your own.'),
  z
    .strictObject({ type: z.literal('insights'), ...common })
    .describe('What limited the system, where latency kneed, what is worst, what changed.'),
  z
    .strictObject({
      type: z.literal('comparison'),
      ...common,
      metrics: z.array(rowMetric).min(1).max(8).default(['rate', 'p50', 'p95', 'p99', 'error_share']),
      rows: z.enum(['all', 'actions', 'containers']).default('all'),
    })
    .describe('All runs of the report beside the first, with the significance of the differences.'),
  z
    .strictObject({
      type: z.literal('trend'),
      ...common,
      metrics: z.array(rowMetric).min(1).max(6).default(['p95', 'rate', 'error_share']),
      scope,
    })
    .describe('A point for each run that the trend of the report chooses, with changes marked.'),
])
export type ReportItem = z.infer<typeof reportItem>
export type ReportItemType = ReportItem['type']

/** Which runs a trend is over, found again at each read; the newest ones. */
const trendSelector = z.strictObject({
  scenario_id: z.string().max(64).nullable().default(null),
  name: z
    .strictObject({
      match: z.enum(['equals', 'contains', 'starts_with', 'ends_with']),
      text: z.string().min(1).max(80),
    })
    .nullable()
    .default(null),
  tags: z.array(z.string().min(1).max(60)).max(20).default([]).describe('Runs that have all of them.'),
  created_after: z.iso.datetime().nullable().default(null).describe('Runs that began then or later.'),
  created_before: z.iso.datetime().nullable().default(null),
  count_max: z.int().min(2).max(100).default(25),
})
export type TrendSelector = z.infer<typeof trendSelector>

const content = {
  description: z.string().max(2000).default(''),
  items: z.array(reportItem).max(itemsMax).default([]),
  apdex_target_ms: z
    .number()
    .positive()
    .max(3_600_000)
    .default(500)
    .describe('Up to here satisfied, up to four times of it tolerating.'),
}

/** What is told of one run or several, in which order. */
export const benchReport = z
  .strictObject({
    schema_version: z.literal(1).default(1),
    name: z.string().min(1).max(80),
    bench_result_ids: z
      .array(z.string().min(1).max(64))
      .max(reportRunsMax)
      .default([])
      .describe('The first is what the others are compared with.'),
    trend: trendSelector.nullable().default(null),
    ...content,
  })
  .superRefine(({ items, bench_result_ids: runs, trend }, context) => {
    checkIds(items, context)
    for (const [index, item] of items.entries()) {
      if (item.type === 'trend' && trend === null)
        context.addIssue({
          code: 'custom',
          path: ['items', index],
          message: 'The report says nothing of which runs its trend is over: give /trend.',
        })
      if (item.type !== 'text' && item.type !== 'trend' && item.run >= runs.length)
        context.addIssue({
          code: 'custom',
          path: ['items', index, 'run'],
          message: `The report has ${runs.length} runs, counted from 0.`,
        })
      if (item.type === 'chart' && item.form === 'scatter' && item.lines.length !== 2)
        context.addIssue({
          code: 'custom',
          path: ['items', index, 'lines'],
          message: 'A scatter chart has two lines: what is across, and what is up.',
        })
    }
  })
export type BenchReport = z.infer<typeof benchReport>

/** Items without runs, from which reports are made. */
export const reportTemplate = z
  .strictObject({ schema_version: z.literal(1).default(1), name: z.string().min(1).max(80), ...content })
  .superRefine(({ items }, context) => checkIds(items, context))
export type ReportTemplate = z.infer<typeof reportTemplate>

function checkIds(items: readonly { id: string }[], context: z.core.$RefinementCtx): void {
  for (const [index, { id }] of items.entries()) {
    const first = items.findIndex((each) => each.id === id)
    if (first !== index)
      context.addIssue({
        code: 'custom',
        path: ['items', index, 'id'],
        message: `${id} is the id of /items/${first} already.`,
      })
  }
}
