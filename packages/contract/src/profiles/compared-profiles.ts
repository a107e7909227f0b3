import { z } from 'zod'

const side = z.array(z.string().min(1).max(64)).min(1).max(100)

/** Which profiles are held against each other, and how their values are made comparable. */
export const comparedProfiles = {
  base: side.describe('Profiles to add up, or one run.'),
  head: side.describe('As base.'),
  benchmark: z.string().max(1000).optional().describe('Of the runs.'),
  sample_type: z.string().max(100).optional().describe('Such as cpu. Head’s default when left out.'),
  normalize: z
    .string()
    .max(30)
    .regex(
      /^(none|total|duration|measured|\d{1,12}(\.\d{1,12})?)$/,
      'Use none, total, duration, measured or a positive number.',
    )
    .optional()
    .describe(
      'total (shares), duration (per second), measured (of runs), none, or a factor for head. When left out, measured for runs, else none.',
    ),
}

/** What both sides are, and what was done to their values. */
export const comparisonBasis = {
  base: z.object({
    profile_ids: z.array(z.string()),
    run_id: z.string().nullable(),
    taken_at: z.iso.datetime().describe('Of the first profile.'),
    duration_ms: z.number().nullable(),
    sample_count: z.number().int(),
  }),
  head: z.object({
    profile_ids: z.array(z.string()),
    run_id: z.string().nullable(),
    taken_at: z.iso.datetime(),
    duration_ms: z.number().nullable(),
    sample_count: z.number().int(),
  }),
  benchmark: z.string().nullable().describe('Uri, where sides are runs.'),
  sample_type: z.string(),
  unit: z.string().describe('Of all values.'),
  normalize: z.enum(['none', 'total', 'duration', 'measured', 'factor']),
  base_factor: z.number().describe('What values of base were multiplied by.'),
  head_factor: z.number(),
  base_value: z.number().describe('Total of base, after that.'),
  head_value: z.number(),
}

const exampleSide = {
  run_id: null,
  taken_at: '2026-11-20T10:00:00.000Z',
  duration_ms: 10_000,
  sample_count: 1000,
}

export const exampleBasis = {
  base: { ...exampleSide, profile_ids: ['prf_01'] },
  head: { ...exampleSide, profile_ids: ['prf_02'], taken_at: '2026-11-20T11:00:00.000Z' },
  benchmark: null,
  sample_type: 'cpu',
  unit: 'nanoseconds',
  normalize: 'none' as const,
  base_factor: 1,
  head_factor: 1,
  base_value: 2_100_000_000,
  head_value: 2_900_000_000,
}
