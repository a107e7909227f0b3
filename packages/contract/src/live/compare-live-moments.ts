import { z } from 'zod'
import { liveSourceId, timestamp } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatChangePercent, formatDurationNs } from '../quantity.ts'
import {
  exampleHead,
  exampleWindow,
  formatMeasure,
  headLine,
  liveAppHead,
  liveAppLink,
  liveWindowShape,
  spanText,
  windowLine,
} from './live-shapes.ts'

const both = z.object({ base: z.number(), head: z.number() })

export const compareLiveMoments = defineOperation({
  id: 'compare_live_moments',
  title: 'Compare live moments',
  description:
    'What changed between two moments of a live app, two apps or recordings: what slowed, how amounts changed, and what grows steadily: memory never given back, queues filling.',
  toolset: 'live',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/live-apps/{live_app_id}/compare' },
  input: z.strictObject({
    live_app_id: liveSourceId,
    until: timestamp.optional().describe('Else now.'),
    last_seconds: z
      .number()
      .int()
      .min(5)
      .max(30 * 86_400)
      .optional()
      .describe('Length of each moment; else 60, of a recording all.'),
    base_until: timestamp.optional().describe('End of the base; else it ends where the other begins.'),
    base_live_app_id: liveSourceId.optional().describe('Compare with this.'),
    limit: z.number().int().min(1).max(100).default(15).describe('Of each list.'),
  }),
  output: z.object({
    ...liveAppHead,
    base_live_app_id: z.string(),
    base_recording: z.string().nullable().describe('Name of the recording that is the base.'),
    base: liveWindowShape,
    head: liveWindowShape,
    times: z
      .array(
        z.object({
          section: z.string(),
          name: z.string(),
          measured: z.string().describe('duration, wait, poll …'),
          calls: both,
          mean_ns: both,
          change_percent: z.number().describe('Of the mean.'),
          percentiles: z.record(z.string(), both).describe('By name: p95_ns.'),
          is_percentiles_of_times: z
            .boolean()
            .describe('False: they are of all that the program did until then.'),
          extra_ns_per_second: z.number().describe('What the change costs; below zero: saves.'),
        }),
      )
      .describe('What slowed or became faster by more than 5 %, the costliest change first.'),
    amounts: z
      .array(
        z.object({
          section: z.string(),
          name: z.string(),
          measure: z.string(),
          base: z.number(),
          head: z.number(),
          change_percent: z.number().nullable().describe('null: there was none.'),
          share_percent: z.number().describe('The difference, of all there is of it in the section.'),
        }),
      )
      .describe('What grew or shrank by more than 5 %, the largest part of the whole first.'),
    growing: z
      .array(
        z.object({
          section: z.string(),
          name: z.string(),
          id: z.string(),
          session: z.string(),
          measure: z.string(),
          from: z.number(),
          to: z.number(),
          per_second: z.number(),
          rising_steps: z.number().int(),
          steps: z.number().int(),
          lows: z.array(z.number()).describe('The lowest values of equal parts of the time, in order.'),
          full_in_seconds: z.number().nullable(),
        }),
      )
      .describe('What rose in at least four of five steps.'),
    growing_over: z
      .object({ from: timestamp, to: timestamp })
      .describe('The time that was looked at for it.'),
    notes: z.array(z.string()),
  }),
  problems: ['live_app_not_found', 'live_recording_not_found', 'invalid_input'],
  examples: [
    {
      title: 'This minute and the one before',
      input: { live_app_id: 'app_01' },
      output: {
        ...exampleHead,
        base_live_app_id: 'app_01',
        base_recording: null,
        base: { ...exampleWindow, from: '2026-11-22T09:58:00.000Z', to: '2026-11-22T09:59:00.000Z' },
        head: exampleWindow,
        times: [
          {
            section: 'functions_timing',
            name: 'shop::pay',
            measured: 'duration',
            calls: { base: 1180, head: 1200 },
            mean_ns: { base: 2e6, head: 3e6 },
            change_percent: 50,
            percentiles: { p95_ns: { base: 3e6, head: 4.1e6 } },
            is_percentiles_of_times: true,
            extra_ns_per_second: 2e7,
          },
        ],
        amounts: [
          {
            section: 'channels',
            name: 'orders',
            measure: 'queued',
            base: 10,
            head: 90,
            change_percent: 800,
            share_percent: 88,
          },
        ],
        growing: [
          {
            section: 'channels',
            name: 'orders',
            id: '1',
            session: '01jd-shop-1',
            measure: 'queued',
            from: 10,
            to: 90,
            per_second: 0.7,
            rising_steps: 5,
            steps: 5,
            lows: [10, 26, 42, 58, 74, 90],
            full_in_seconds: 14,
          },
        ],
        growing_over: { from: '2026-11-22T09:58:00.000Z', to: '2026-11-22T10:00:00.000Z' },
        notes: [],
      },
    },
  ],
  link: ({ live_app_id }) => liveAppLink(live_app_id),
  markdown: ({
    base,
    head,
    base_live_app_id: baseId,
    base_recording: baseRecording,
    times,
    amounts,
    growing,
    notes,
    ...app
  }) =>
    [
      headLine(app),
      `Base${baseId === app.live_app_id ? '' : ` (${[baseRecording, baseId].filter((word) => word !== null).join(', ')})`}: ${windowLine(base)}\nHead: ${windowLine(head)}`,
      '**Steadily growing**',
      table(
        ['Section', 'Name', 'Measure', 'From', 'To', 'Per second', 'Rising steps', 'Full in'],
        growing.map(
          ({
            section,
            name,
            measure,
            from,
            to,
            per_second: pace,
            rising_steps: rising,
            steps,
            full_in_seconds: full,
          }) => [
            section,
            name,
            measure,
            formatMeasure(measure, from),
            formatMeasure(measure, to),
            formatMeasure(measure, pace),
            `${rising} of ${steps}`,
            full === null ? null : spanText(full),
          ],
        ),
        'Nothing rises all the time.',
      ),
      '**Slower and faster**',
      table(
        [
          'Section',
          'Name',
          'Mean before',
          'Mean',
          'Change',
          'p95 before',
          'p95',
          'p99 before',
          'p99',
          'Cost per second',
        ],
        times.map(
          ({
            section,
            name,
            measured,
            mean_ns: mean,
            change_percent: change,
            percentiles,
            extra_ns_per_second: extra,
          }) => [
            section,
            measured === 'duration' ? name : `${name}: ${measured}`,
            formatDurationNs(mean.base),
            formatDurationNs(mean.head),
            formatChangePercent(change),
            ...(['p95_ns', 'p99_ns'] as const).flatMap((percentile) => [
              formatMeasure(percentile, percentiles[percentile]?.base),
              formatMeasure(percentile, percentiles[percentile]?.head),
            ]),
            `${extra < 0 ? '−' : '+'}${formatDurationNs(Math.abs(extra))}`,
          ],
        ),
        'No mean time changed by more than 5 %.',
      ),
      '**Amounts**',
      table(
        ['Section', 'Name', 'Measure', 'Before', 'Now', 'Change', 'Of all'],
        amounts.map(
          ({
            section,
            name,
            measure,
            base: before,
            head: now,
            change_percent: change,
            share_percent: share,
          }) => [
            section,
            name,
            measure,
            formatMeasure(measure, before),
            formatMeasure(measure, now),
            change === null ? 'new' : formatChangePercent(change),
            `${share.toFixed(1)} %`,
          ],
        ),
        'No amount changed by more than 5 %.',
      ),
      ...notes,
    ].join('\n\n'),
})
