import { z } from 'zod'
import { profileId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatQuantity } from '../quantity.ts'
import { sampleType } from './shapes.ts'
import { profileViewLink } from './view-link.ts'

export const listThreads = defineOperation({
  id: 'list_threads',
  title: 'List threads',
  description: 'Processes and threads of a profile with their totals.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/profiles/{profile_id}/threads' },
  input: z.strictObject({
    profile_id: profileId,
    sample_type: sampleType,
    top_n: z.number().int().min(1).max(1000).default(50).describe('How many.'),
  }),
  output: z.object({
    profile_id: z.string(),
    sample_type: z.string(),
    unit: z.string(),
    thread_count: z.number().int(),
    threads: z
      .array(
        z.object({
          process: z.string().nullable(),
          thread: z.string(),
          total_value: z.number(),
          percent: z.number(),
        }),
      )
      .describe('The heaviest first.'),
  }),
  problems: ['profile_not_found', 'not_ready', 'processing_failed'],
  examples: [
    {
      title: 'A main thread',
      input: { profile_id: 'prf_01' },
      output: {
        profile_id: 'prf_01',
        sample_type: 'cpu',
        unit: 'nanoseconds',
        thread_count: 4,
        threads: [{ process: 'server 4242', thread: 'main', total_value: 1_900_000_000, percent: 90.5 }],
      },
    },
  ],
  link: ({ profile_id }) => profileViewLink(profile_id, { view: 'table', group: 'thread' }),
  markdown: ({ threads, thread_count, unit }) =>
    [
      table(
        ['Process', 'Thread', { title: 'Total', right: true }, { title: '%', right: true }],
        threads.map((row) => [
          row.process,
          row.thread,
          formatQuantity(row.total_value, unit),
          row.percent.toFixed(2),
        ]),
        'This profile does not tell threads.',
      ),
      ...(thread_count > threads.length
        ? [`_${thread_count - threads.length} smaller ones are left out._`]
        : []),
    ].join('\n\n'),
})
