import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import {
  exampleHead,
  exampleRow,
  exampleWindow,
  liveAppLink,
  liveEntryShape,
  liveQuestion,
  liveSectionAnswer,
  logMarkdown,
  sectionMarkdown,
} from './live-shapes.ts'

export const liveResources = defineOperation({
  id: 'live_resources',
  title: 'Live resources',
  description:
    'Locks, SQL, HTTP calls, a server’s requests, I/O or CPU samples of a program, what costs most first; with item_id its newest log entries.',
  toolset: 'live',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/live-apps/{live_app_id}/resources' },
  input: z.strictObject({
    ...liveQuestion,
    section: z.enum(['locks', 'sql', 'http', 'server', 'io', 'functions_cpu']).describe('Which resource.'),
    sort: z
      .string()
      .regex(/^[a-z0-9_]{1,60}$/, 'Use the name of a measure, as rows have it.')
      .optional()
      .describe('A measure; most first.'),
    item_id: z.string().min(1).max(200).optional().describe('Id of a row.'),
  }),
  output: z.object({
    ...liveSectionAnswer,
    entries: z.array(liveEntryShape).describe('Of the item, newest first; SQL without literals.'),
    lost: z.number().int(),
  }),
  problems: ['live_app_not_found', 'live_recording_not_found', 'live_item_not_found', 'invalid_input'],
  examples: [
    {
      title: 'SQL',
      input: { live_app_id: 'app_01', section: 'sql' },
      output: {
        ...exampleHead,
        section: { name: 'sql', status: 'on', reason: null, how_to_enable: null },
        window: exampleWindow,
        rows: [
          {
            ...exampleRow,
            name: 'SELECT * FROM orders WHERE id = ?',
            share_percent: 100,
            percentiles_of: 'since_start',
            measures: { calls: 600, total_ns: 1.2e9, mean_ns: 2e6, p95_ns: 4e6 },
            texts: { route: 'GET /orders/{id}' },
          },
        ],
        process: null,
        total_count: 1,
        whole: { measure: 'total_ns', value: 1.2e9 },
        notes: [],
        entries: [],
        lost: 0,
      },
    },
  ],
  link: ({ live_app_id }) => liveAppLink(live_app_id),
  markdown: (answer) =>
    [
      sectionMarkdown(answer, 'all'),
      ...(answer.entries.length === 0 ? [] : [logMarkdown({ ...answer, item: null })]),
    ].join('\n\n'),
})
