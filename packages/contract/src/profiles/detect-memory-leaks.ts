import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleHeapSite, heapSiteFields } from './heap-shapes.ts'

const heapShape = z.object({ profile_id: z.string(), taken_at: timestamp, in_use: z.number() })

const siteGrowthShape = z.object({
  ...heapSiteFields,
  base_in_use: z.number(),
  head_in_use: z.number(),
  growth: z.number().describe('head − base. Of all sites, these add up to the growth of the heap.'),
  growth_percent: z.number().nullable(),
  object_growth: z.number().nullable(),
  allocated: z.number().nullable().describe('Between the profiles; null when not known.'),
  kept_percent: z.number().nullable().describe('What of that is still in use.'),
  is_sure: z.boolean().describe('More than two samplings of the same heap differ by.'),
})

export const detectMemoryLeaks = defineOperation({
  id: 'detect_memory_leaks',
  title: 'Detect memory leaks',
  description:
    'What grew between two heap profiles, by allocation site: what is kept, as by a leak, told from bursts.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/profiles/leaks' },
  reportField: 'report',
  input: z.strictObject({
    base_profile_id: z.string().min(1).max(64).describe('The earlier.'),
    head_profile_id: z.string().min(1).max(64).describe('The later.'),
    threshold_percent: z.number().min(0).max(10_000).default(10).describe('Leave out what grew less.'),
    limit: z.number().int().min(1).max(200).default(10).describe('Of each kind.'),
  }),
  output: z.object({
    base: heapShape,
    head: heapShape,
    seconds_between: z.number(),
    growth: z.number().describe('Bytes, like all amounts.'),
    allocated: z.number().nullable().describe('Between the profiles; null when not known.'),
    verdict: z
      .enum(['leak_likely', 'leak_possible', 'no_leak_seen'])
      .describe(
        'likely: a site grew by more than chance. A third profile tells leaks from caches that fill.',
      ),
    growing: z.array(siteGrowthShape).describe('Suspects, the largest growth first.'),
    bursts: z.array(siteGrowthShape).describe('Allocated much and gave it back: no leaks.'),
    shrinking: z.array(siteGrowthShape),
    others_growth: z.number().describe('Growth of all sites that are not listed.'),
    notes: z.array(z.string()).describe('What the answer rests on, and what to do next.'),
    report: z.string(),
  }),
  problems: ['profile_not_found', 'not_ready', 'processing_failed'],
  examples: [
    {
      title: 'Ten minutes apart',
      input: { base_profile_id: 'prf_01', head_profile_id: 'prf_02' },
      output: {
        base: { profile_id: 'prf_01', taken_at: '2026-11-20T10:00:00.000Z', in_use: 2_689_486 },
        head: { profile_id: 'prf_02', taken_at: '2026-11-20T10:10:00.000Z', in_use: 10_553_121 },
        seconds_between: 600,
        growth: 7_863_635,
        allocated: 51_865_543,
        verdict: 'leak_likely',
        growing: [
          {
            ...exampleHeapSite,
            base_in_use: 2_626_351,
            head_in_use: 10_485_761,
            growth: 7_859_410,
            growth_percent: 299.3,
            object_growth: 117,
            allocated: 7_864_321,
            kept_percent: 99.9,
            is_sure: true,
          },
        ],
        bursts: [],
        shrinking: [],
        others_growth: 4225,
        notes: [],
        report: '# Heap: +7.5 MiB\n…',
      },
    },
  ],
  link: ({ base, head }) => `/profiles/compare?base=${base.profile_id}&head=${head.profile_id}`,
  markdown: ({ report }) => report,
})
