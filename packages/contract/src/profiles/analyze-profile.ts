import { z } from 'zod'
import { profileId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatQuantity } from '../quantity.ts'
import { exampleShare, functionShareShape, sampleType } from './shapes.ts'

export const analyzeProfile = defineOperation({
  id: 'analyze_profile',
  title: 'Top functions of a profile',
  description: 'The functions that cost most in a profile, by self or total value, like pprof -top.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/profiles/{profile_id}/top' },
  input: z.strictObject({
    profile_id: profileId,
    sample_type: sampleType,
    sort_by: z
      .enum(['self', 'total'])
      .default('self')
      .describe('self: in the function itself; total: with everything it calls.'),
    top_n: z.number().int().min(1).max(500).default(20).describe('How many functions.'),
    focus: z
      .string()
      .max(200)
      .optional()
      .describe('Only samples through a function whose name or file has this pattern, as pprof -focus.'),
    ignore: z
      .string()
      .max(200)
      .optional()
      .describe(
        'Leave out samples through a function whose name or file has this pattern, as pprof -ignore.',
      ),
  }),
  output: z.object({
    profile_id: z.string(),
    sample_type: z.string(),
    unit: z.string(),
    total_value: z.number(),
    sort_by: z.enum(['self', 'total']),
    function_count: z.number().int().describe('Functions in the whole profile.'),
    functions: z.array(functionShareShape),
  }),
  problems: ['profile_not_found', 'not_ready', 'processing_failed'],
  examples: [
    {
      title: 'By self time',
      input: { profile_id: 'prf_01', top_n: 1 },
      output: {
        profile_id: 'prf_01',
        sample_type: 'cpu',
        unit: 'nanoseconds',
        total_value: 2_100_000_000,
        sort_by: 'self',
        function_count: 120,
        functions: [exampleShare],
      },
    },
  ],
  link: ({ profile_id }) => `/profiles/${profile_id}`,
  markdown: (answer) =>
    [
      `Total ${formatQuantity(answer.total_value, answer.unit)} (${answer.sample_type}), ${answer.function_count} functions.`,
      table(
        [
          'Function',
          'Origin',
          { title: 'Self', right: true },
          { title: 'Self %', right: true },
          { title: 'Total', right: true },
          { title: 'Total %', right: true },
        ],
        answer.functions.map((row) => [
          `${row.function_name}${row.file === null ? '' : ` (${row.file}${row.line === null ? '' : `:${row.line}`})`}`,
          row.origin,
          formatQuantity(row.self_value, answer.unit),
          row.self_percent.toFixed(2),
          formatQuantity(row.total_value, answer.unit),
          row.total_percent.toFixed(2),
        ]),
        'No function fits.',
      ),
    ].join('\n\n'),
})
