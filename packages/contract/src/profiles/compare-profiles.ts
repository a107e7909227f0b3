import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { comparedProfiles, comparisonBasis, exampleBasis } from './compared-profiles.ts'
import { comparisonLink } from './comparison-link.ts'

const changeState = z
  .enum(['added', 'removed', 'worse', 'better', 'same'])
  .describe('worse: costs more in head.')

const differenceFields = {
  state: changeState,
  base_self: z.number(),
  head_self: z.number(),
  self_difference: z.number().describe('head − base; of all functions, these add up to the difference.'),
  base_total: z.number(),
  head_total: z.number(),
  total_difference: z.number(),
  is_sure: z
    .boolean()
    .nullable()
    .describe('More than two samplings of the same program differ by; null where no samples are counted.'),
}

export const functionDifferenceShape = z.object({
  function_name: z.string(),
  file: z.string().nullable(),
  line: z.number().int().nullable(),
  origin: z.string(),
  ...differenceFields,
})

export const compareProfiles = defineOperation({
  id: 'compare_profiles',
  title: 'Compare profiles',
  description:
    'What changed between profiles: functions and calls added, removed, worse or better, in amounts that add up.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/profiles/compare' },
  reportField: 'report',
  input: z.strictObject({
    ...comparedProfiles,
    sort_by: z.enum(['self', 'total']).default('self').describe('By which difference.'),
    top_n: z.number().int().min(1).max(500).default(20).describe('Functions, and calls.'),
    format: z
      .enum(['markdown', 'text', 'json', 'flamegraph-json'])
      .default('markdown')
      .describe('Of the report.'),
  }),
  output: z.object({
    ...comparisonBasis,
    difference: z.number().describe('head_value − base_value.'),
    difference_percent: z.number().nullable(),
    counts: z
      .object({
        added: z.number().int(),
        removed: z.number().int(),
        worse: z.number().int(),
        better: z.number().int(),
        same: z.number().int(),
      })
      .describe('Functions by state.'),
    functions: z.array(functionDifferenceShape).describe('The largest differences first.'),
    others_difference: z
      .number()
      .describe('What the self values of functions that are not listed differ by together.'),
    calls: z
      .array(
        z.object({
          path: z.array(z.string()).describe('From the outermost function, or after … from the last twelve.'),
          ...differenceFields,
        }),
      )
      .describe('Places in the call tree, by the difference of their self values.'),
    notes: z.array(z.string()).describe('What the comparison rests on, and what puts it in doubt.'),
    report: z
      .string()
      .describe('All of it as text; with flamegraph-json, a tree for d3-flame-graph, with head as value.'),
  }),
  problems: [
    'profile_not_found',
    'run_not_found',
    'benchmark_not_found',
    'no_profile',
    'not_ready',
    'processing_failed',
    'too_large',
  ],
  examples: [
    {
      title: 'After a change',
      input: { base: ['prf_01'], head: ['prf_02'] },
      output: {
        ...exampleBasis,
        difference: 800_000_000,
        difference_percent: 38.1,
        counts: { added: 1, removed: 0, worse: 0, better: 0, same: 80 },
        functions: [
          {
            function_name: 'findMatchingRules',
            file: 'src/discounts.js',
            line: 30,
            origin: 'User code',
            state: 'added',
            base_self: 0,
            head_self: 780_000_000,
            self_difference: 780_000_000,
            base_total: 0,
            head_total: 780_000_000,
            total_difference: 780_000_000,
            is_sure: true,
          },
        ],
        others_difference: 20_000_000,
        calls: [],
        notes: ['Values are compared as they are.'],
        report: '# Profiles: +38.1 %\n…',
      },
    },
  ],
  link: (_answer, input) => comparisonLink(input),
  markdown: ({ report }) => report,
})
