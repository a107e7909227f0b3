import { z } from 'zod'
import { profileId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatQuantity } from '../quantity.ts'
import { sampleSelection } from './selection.ts'
import { exampleGroup, exampleShare, functionShareShape, groupShareShape } from './shapes.ts'
import { profileViewLink } from './view-link.ts'

export const analyzeProfile = defineOperation({
  id: 'analyze_profile',
  title: 'Analyze a profile',
  description:
    'What costs most in a profile, like pprof -top: functions, or groups, such as kinds of work (GC, locks, I/O).',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/profiles/{profile_id}/top' },
  input: z.strictObject({
    profile_id: profileId,
    ...sampleSelection,
    group_by: z
      .string()
      .max(120)
      .regex(
        /^(function|package|file|origin|category|thread|path|label:.+)$/,
        'One of function, package, file, origin, category, thread, path, or label:<name>.',
      )
      .default('function')
      .describe(
        'function, package, file, origin, category, thread, path or label:<name>. A category is a kind of work, such as garbage collection; paths are the heaviest stacks, what they share said once.',
      ),
    sort_by: z
      .enum(['self', 'total'])
      .default('self')
      .describe('total: with what it calls. self: in the function itself.'),
    top_n: z.number().int().min(1).max(500).default(20).describe('How many rows.'),
    search: z
      .string()
      .max(200)
      .optional()
      .describe(
        'Only rows with this pattern. In the name or file of a function, or the name of a group; (?i) at its start ignores case. Says too what all matches have together.',
      ),
    focus: z
      .string()
      .max(200)
      .optional()
      .describe('Only stacks with this pattern. In a function or its file, as pprof -focus.'),
    ignore: z.string().max(200).optional().describe('No such stacks. As pprof -ignore.'),
  }),
  output: z.object({
    profile_id: z.string(),
    sample_type: z.string(),
    unit: z.string(),
    total_value: z.number().describe('Of all selected samples; percentages are of this.'),
    group_by: z.string(),
    sort_by: z.enum(['self', 'total']),
    function_count: z.number().int().describe('Functions in the whole profile.'),
    row_count: z.number().int().describe('Rows there are; the largest are given.'),
    covered_value: z
      .number()
      .nullable()
      .describe('With search: what samples through any match have, each counted once.'),
    covered_percent: z.number().nullable(),
    functions: z.array(functionShareShape).describe('Grouped by function.'),
    groups: z.array(groupShareShape).describe('Grouped by anything else.'),
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
        group_by: 'function',
        sort_by: 'self',
        function_count: 120,
        row_count: 118,
        covered_value: null,
        covered_percent: null,
        functions: [exampleShare],
        groups: [],
      },
    },
    {
      title: 'Kinds of work',
      input: { profile_id: 'prf_01', group_by: 'category', labels: ['thread=main'] },
      output: {
        profile_id: 'prf_01',
        sample_type: 'cpu',
        unit: 'nanoseconds',
        total_value: 2_100_000_000,
        group_by: 'category',
        sort_by: 'self',
        function_count: 120,
        row_count: 1,
        covered_value: null,
        covered_percent: null,
        functions: [],
        groups: [exampleGroup],
      },
    },
  ],
  link: ({ profile_id, group_by }, selection) =>
    profileViewLink(profile_id, {
      view: 'table',
      group: group_by === 'function' ? undefined : group_by,
      selection,
    }),
  markdown: (answer) => {
    const { unit } = answer
    const isGrouped = answer.group_by !== 'function'
    const rows = isGrouped ? answer.groups : answer.functions
    return [
      `Total ${formatQuantity(answer.total_value, unit)} (${answer.sample_type}), ${answer.function_count} functions; ${rows.length} of ${answer.row_count} rows.`,
      ...(answer.covered_value === null || answer.covered_percent === null
        ? []
        : [
            `All matches together: ${formatQuantity(answer.covered_value, unit)} (${answer.covered_percent.toFixed(2)} %).`,
          ]),
      table(
        [
          isGrouped ? answer.group_by : 'Function',
          isGrouped ? 'Mostly' : 'Origin',
          { title: 'Self', right: true },
          { title: 'Self %', right: true },
          { title: 'Total', right: true },
          { title: 'Total %', right: true },
        ],
        rows.map((row) => [
          ...('name' in row
            ? [middleCut(`${'· '.repeat(row.depth ?? 0)}${row.name}`), row.top_functions.join(', ')]
            : [
                `${row.function_name}${row.file === null ? '' : ` (${row.file}${row.line === null ? '' : `:${row.line}`})`}`,
                row.origin,
              ]),
          formatQuantity(row.self_value, unit),
          row.self_percent.toFixed(2),
          formatQuantity(row.total_value, unit),
          row.total_percent.toFixed(2),
        ]),
        'Nothing fits.',
      ),
    ].join('\n\n')
  },
})

/** Of a long path, both ends: where it comes from, and where the value is. */
function middleCut(name: string): string {
  return name.length <= 150 ? name : `${name.slice(0, 50)} … ${name.slice(-97)}`
}
