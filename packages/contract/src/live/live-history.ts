import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { liveItemName } from './define-log.ts'
import {
  exampleHead,
  formatMeasure,
  headLine,
  liveAppHead,
  liveAppLink,
  liveQuestion,
  measureTitle,
} from './live-shapes.ts'

export const liveHistory = defineOperation({
  id: 'live_history',
  title: 'History of live metrics',
  description:
    'How the items of a section went, in equal steps of a time: what a row is drawn by; with a name all that is measured of it.',
  toolset: 'live',
  effect: 'read',
  scopes: ['read'],
  mcp: false,
  http: { method: 'GET', path: '/v1/live-apps/{live_app_id}/history' },
  input: z.strictObject({
    live_app_id: liveQuestion.live_app_id,
    section: z
      .enum([
        'functions_timing',
        'functions_alloc',
        'channels',
        'streams',
        'futures',
        'threads',
        'gauges',
        'debug',
        'values',
        'runtime',
        'functions_cpu',
        'locks',
        'sql',
        'http',
        'server',
        'io',
      ])
      .describe('Which section.'),
    last_seconds: liveQuestion.last_seconds,
    until: liveQuestion.until,
    session: liveQuestion.session,
    filter: liveQuestion.filter,
    name: liveItemName.optional().describe('Only the items of exactly this name, with all their measures.'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(200)
      .default(200)
      .describe('Items at most, those first that rows begin with.'),
    steps: z.number().int().min(2).max(240).default(30).describe('Into how many the time is cut.'),
  }),
  output: z.object({
    ...liveAppHead,
    section: z.string(),
    from: timestamp,
    at: z.array(timestamp).describe('When each step ended.'),
    items: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        place: z.string().nullable(),
        session: z.string(),
        measures: z
          .record(z.string(), z.array(z.number().nullable()))
          .describe(
            'A value for each step, null where nothing is known. What depends on the length of a step is left out.',
          ),
      }),
    ),
  }),
  problems: ['live_app_not_found', 'live_recording_not_found', 'invalid_input'],
  examples: [
    {
      title: 'One function',
      input: {
        live_app_id: 'app_01',
        section: 'functions_timing',
        last_seconds: 60,
        name: 'shop::pay',
        steps: 2,
      },
      output: {
        ...exampleHead,
        section: 'functions_timing',
        from: '2026-11-22T09:59:00.000Z',
        at: ['2026-11-22T09:59:30.000Z', '2026-11-22T10:00:00.000Z'],
        items: [
          {
            id: '1',
            name: 'shop::pay',
            place: 'src/pay.rs:12:1',
            session: '01jd-shop-1',
            measures: { mean_ns: [3e6, 9e6], calls_per_second: [20, 20] },
          },
        ],
      },
    },
  ],
  link: ({ live_app_id }) => liveAppLink(live_app_id),
  markdown: ({ from, at, items, ...app }) =>
    [
      headLine(app),
      `From ${from} in ${at.length} steps to ${at.at(-1)}.`,
      table(
        [
          'Name',
          'Measure',
          { title: 'First', right: true },
          { title: 'Lowest', right: true },
          { title: 'Highest', right: true },
          { title: 'Last', right: true },
        ],
        items.flatMap(({ name, measures }) =>
          Object.entries(measures).map(([measure, values]) => {
            const known = values.filter((value) => value !== null)
            const told = (value: number | undefined) => formatMeasure(measure, value)
            const extreme = (of: (a: number, b: number) => number) =>
              known.length === 0 ? undefined : told(known.reduce(of))
            return [
              name,
              measureTitle(measure),
              told(known[0]),
              extreme((a, b) => Math.min(a, b)),
              extreme((a, b) => Math.max(a, b)),
              told(known.at(-1)),
            ]
          }),
        ),
        'Nothing was told in this time.',
      ),
    ].join('\n\n'),
})
