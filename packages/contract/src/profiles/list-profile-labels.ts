import { z } from 'zod'
import { profileId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatQuantity } from '../quantity.ts'
import { sampleType } from './shapes.ts'
import { profileViewLink } from './view-link.ts'

export const listProfileLabels = defineOperation({
  id: 'list_profile_labels',
  title: 'List profile labels',
  description: 'Labels that samples carry (thread, route, …), to filter by, with shares of their values.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/profiles/{profile_id}/labels' },
  input: z.strictObject({
    profile_id: profileId,
    sample_type: sampleType,
    top_n: z.number().int().min(1).max(500).default(20).describe('Values of each.'),
  }),
  output: z.object({
    profile_id: z.string(),
    sample_type: z.string(),
    unit: z.string(),
    labels: z.array(
      z.object({
        name: z.string(),
        value_count: z.number().int(),
        values: z
          .array(z.object({ value: z.string(), total_value: z.number(), percent: z.number() }))
          .describe('The heaviest; shares of all samples.'),
      }),
    ),
  }),
  problems: ['profile_not_found', 'not_ready', 'processing_failed'],
  examples: [
    {
      title: 'Routes',
      input: { profile_id: 'prf_01' },
      output: {
        profile_id: 'prf_01',
        sample_type: 'cpu',
        unit: 'nanoseconds',
        labels: [
          {
            name: 'route',
            value_count: 12,
            values: [{ value: '/cart', total_value: 1_200_000_000, percent: 57.1 }],
          },
        ],
      },
    },
  ],
  link: ({ profile_id }) => profileViewLink(profile_id, { view: 'table' }),
  markdown: ({ labels, unit }) =>
    table(
      ['Label', 'Value', { title: 'Total', right: true }, { title: '%', right: true }],
      labels.flatMap(({ name, value_count, values }) => [
        ...values.map((row) => [
          name,
          row.value,
          formatQuantity(row.total_value, unit),
          row.percent.toFixed(2),
        ]),
        ...(value_count > values.length ? [[name, `… ${value_count - values.length} more`, '', '']] : []),
      ]),
      'Samples of this profile have no labels.',
    ),
})
