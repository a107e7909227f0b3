import { z } from 'zod'
import { profileId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatQuantity } from '../quantity.ts'
import { sampleSelection } from './selection.ts'
import { profileViewLink } from './view-link.ts'

export const getProfileTimeline = defineOperation({
  id: 'get_profile_timeline',
  title: 'Get the timeline of a profile',
  description: 'When a profile has its values, by thread or origin, in pieces of equal length, with gaps.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/profiles/{profile_id}/timeline' },
  mcp: false,
  input: z.strictObject({
    profile_id: profileId,
    labels: sampleSelection.labels,
    from_ms: sampleSelection.from_ms,
    to_ms: sampleSelection.to_ms,
    group_by: z.enum(['thread', 'origin']).default('thread').describe('What a series is.'),
    bucket_count: z.number().int().min(1).max(2000).default(200).describe('How many pieces.'),
    top_n: z.number().int().min(1).max(50).default(12).describe('How many series; others are added up.'),
  }),
  output: z.object({
    profile_id: z.string(),
    sample_type: z.string().describe('The default one: only that is known by time.'),
    unit: z.string(),
    start_ms: z.number().describe('Since the start of the profile, as all times.'),
    end_ms: z.number(),
    bucket_ms: z.number(),
    series: z
      .array(
        z.object({
          name: z.string(),
          total_value: z.number(),
          percent: z.number(),
          values: z.array(z.number()).describe('One per piece.'),
          gaps: z
            .array(z.object({ from_ms: z.number(), to_ms: z.number() }))
            .describe('Where nothing was measured for long.'),
        }),
      )
      .describe('The heaviest first.'),
  }),
  problems: ['profile_not_found', 'not_ready', 'processing_failed'],
  examples: [
    {
      title: 'Two halves',
      input: { profile_id: 'prf_01', bucket_count: 2 },
      output: {
        profile_id: 'prf_01',
        sample_type: 'cpu',
        unit: 'nanoseconds',
        start_ms: 0,
        end_ms: 2000,
        bucket_ms: 1000,
        series: [
          {
            name: 'main',
            total_value: 1_500_000_000,
            percent: 100,
            values: [1_000_000_000, 500_000_000],
            gaps: [{ from_ms: 1500, to_ms: 2000 }],
          },
        ],
      },
    },
  ],
  link: ({ profile_id }, selection) => profileViewLink(profile_id, { view: 'timeline', selection }),
  markdown: ({ series, unit, start_ms, end_ms }) =>
    [
      `From ${formatQuantity(start_ms, 'ms')} to ${formatQuantity(end_ms, 'ms')}.`,
      table(
        ['Series', { title: 'Total', right: true }, { title: '%', right: true }, 'Gaps'],
        series.map((row) => [
          row.name,
          formatQuantity(row.total_value, unit),
          row.percent.toFixed(2),
          row.gaps
            .map((gap) => `${formatQuantity(gap.from_ms, 'ms')}–${formatQuantity(gap.to_ms, 'ms')}`)
            .join(', '),
        ]),
        'Nothing was measured.',
      ),
    ].join('\n\n'),
})
