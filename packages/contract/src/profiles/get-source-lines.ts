import { z } from 'zod'
import { profileId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatQuantity } from '../quantity.ts'
import { sampleSelection } from './selection.ts'
import { profileViewLink } from './view-link.ts'

export const getSourceLines = defineOperation({
  id: 'get_source_lines',
  title: 'Get source lines',
  description: 'What each source line of a function or file costs, like pprof -list.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/profiles/{profile_id}/lines' },
  input: z.strictObject({
    profile_id: profileId,
    function_name: z.string().min(1).max(1000).optional().describe('The function; or give file.'),
    file: z.string().min(1).max(1000).optional().describe('Its path, or its end.'),
    ...sampleSelection,
    top_n: z.number().int().min(1).max(5000).default(50).describe('How many, the heaviest. By their totals.'),
  }),
  output: z.object({
    profile_id: z.string(),
    sample_type: z.string(),
    unit: z.string(),
    self_value: z.number().describe('Of the function, or of the functions of the file.'),
    total_value: z.number(),
    self_without_line: z.number().describe('What of self_value no line is known of.'),
    line_count: z.number().int().describe('Lines with a value.'),
    lines: z
      .array(
        z.object({
          function_name: z.string(),
          file: z.string().nullable(),
          line: z.number().int(),
          self_value: z.number(),
          self_percent: z.number(),
          total_value: z.number().describe('With what was called from there.'),
          total_percent: z.number(),
        }),
      )
      .describe('In the order of the source.'),
    note: z.string().nullable().describe('What is not known, or estimated.'),
  }),
  problems: ['profile_not_found', 'function_not_found', 'not_ready', 'processing_failed'],
  examples: [
    {
      title: 'A function',
      input: { profile_id: 'prf_01', function_name: 'applyDiscounts' },
      output: {
        profile_id: 'prf_01',
        sample_type: 'cpu',
        unit: 'nanoseconds',
        self_value: 900_000_000,
        total_value: 1_300_000_000,
        self_without_line: 0,
        line_count: 1,
        lines: [
          {
            function_name: 'applyDiscounts',
            file: 'src/discounts.js',
            line: 14,
            self_value: 900_000_000,
            self_percent: 42.9,
            total_value: 1_300_000_000,
            total_percent: 61.9,
          },
        ],
        note: null,
      },
    },
  ],
  link: ({ profile_id, lines }, { function_name, file, top_n: _count, ...selection }) =>
    profileViewLink(profile_id, {
      view: 'lines',
      ...(file === undefined ? { function: lines[0]?.function_name ?? function_name } : { file }),
      selection,
    }),
  markdown: ({ lines, line_count, unit, sample_type, note, ...whole }) =>
    [
      `Self ${formatQuantity(whole.self_value, unit)}, total ${formatQuantity(whole.total_value, unit)} (${sample_type}); ${lines.length} of ${line_count} lines.`,
      ...(note === null ? [] : [note]),
      table(
        [
          'Line',
          'Function',
          { title: 'Self', right: true },
          { title: 'Self %', right: true },
          { title: 'Total', right: true },
          { title: 'Total %', right: true },
        ],
        lines.map((row) => [
          `${row.file ?? ''}:${row.line}`,
          row.function_name,
          formatQuantity(row.self_value, unit),
          row.self_percent.toFixed(2),
          formatQuantity(row.total_value, unit),
          row.total_percent.toFixed(2),
        ]),
        'No lines are known.',
      ),
    ].join('\n\n'),
})
