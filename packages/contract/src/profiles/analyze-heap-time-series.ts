import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleHeapSite, heapSiteFields } from './heap-shapes.ts'

const trendFields = {
  in_use: z.array(z.number()).describe('One per profile.'),
  growth: z.number().describe('Last − first.'),
  slope_per_hour: z.number().describe('Median of the slopes between all pairs of profiles (Theil–Sen).'),
  slope_low_per_hour: z
    .number()
    .nullable()
    .describe('95 % confidence interval; null with fewer than five profiles.'),
  slope_high_per_hour: z.number().nullable(),
  rising_percent: z.number().describe('Of the steps from one profile to the next, how many go up.'),
  certainty: z
    .enum(['sure', 'likely', 'possible'])
    .describe('sure: the interval has no zero in it; likely: too few for one, but every step goes one way.'),
  projected_in_use: z.number().describe('After as much time again, if it goes on so.'),
  projected_low: z.number().nullable(),
  projected_high: z.number().nullable(),
}

const siteTrendShape = z.object({
  ...heapSiteFields,
  ...trendFields,
  object_growth: z.number().nullable(),
  allocated: z.number().nullable().describe('During the series; null when not known.'),
})

const exampleTrend = {
  in_use: [2_626_351, 5_242_880, 7_864_320],
  growth: 5_237_969,
  slope_per_hour: 15_713_907,
  slope_low_per_hour: null,
  slope_high_per_hour: null,
  rising_percent: 100,
  certainty: 'likely' as const,
  projected_in_use: 13_102_289,
  projected_low: null,
  projected_high: null,
}

export const analyzeHeapTimeSeries = defineOperation({
  id: 'analyze_heap_time_series',
  title: 'Analyze heap time series',
  description:
    'Trends of three or more heap profiles of a program, by allocation site: what grows, how fast and how surely, told from caches that fill and bursts.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/profiles/heap-series' },
  reportField: 'report',
  input: z.strictObject({
    profile_ids: z.array(z.string().min(1).max(64)).min(3).max(100).describe('Any order.'),
    limit: z.number().int().min(1).max(200).default(10).describe('Of each kind.'),
  }),
  output: z.object({
    series: z
      .array(
        z.object({
          profile_id: z.string(),
          taken_at: timestamp,
          in_use: z.number().describe('Bytes, like all amounts.'),
          allocated: z.number().nullable().describe('Since the profile before; null when not known.'),
        }),
      )
      .describe('In the order of their times.'),
    seconds: z.number().describe('From the first to the last.'),
    whole: z.object(trendFields).describe('Of the whole heap.'),
    growing: z.array(siteTrendShape).describe('Suspects, the largest growth first.'),
    levelled_off: z.array(siteTrendShape).describe('Grew, and then no more.'),
    bursts: z.array(siteTrendShape).describe('Took much and gave it back: no leaks.'),
    shrinking: z.array(siteTrendShape),
    others_growth: z.number().describe('Growth of all sites that are not listed.'),
    notes: z.array(z.string()).describe('What the answer rests on, and what to do next.'),
    report: z.string(),
  }),
  problems: ['profile_not_found', 'not_ready', 'processing_failed', 'too_large'],
  examples: [
    {
      title: 'Three, ten minutes apart',
      input: { profile_ids: ['prf_01', 'prf_02', 'prf_03'] },
      output: {
        series: exampleTrend.in_use.map((in_use, index) => ({
          profile_id: `prf_0${index + 1}`,
          taken_at: `2026-11-20T10:${index}0:00.000Z`,
          in_use,
          allocated: null,
        })),
        seconds: 1200,
        whole: exampleTrend,
        growing: [{ ...exampleHeapSite, ...exampleTrend, object_growth: 80, allocated: null }],
        levelled_off: [],
        bursts: [],
        shrinking: [],
        others_growth: 0,
        notes: [],
        report: '# Heap: +5.0 MiB in 20 min\n…',
      },
    },
  ],
  link: ({ series }) => `/profiles/heap-series?ids=${series.map(({ profile_id }) => profile_id).join(',')}`,
  markdown: ({ report }) => report,
})
