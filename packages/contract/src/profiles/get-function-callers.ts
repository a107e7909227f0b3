import { z } from 'zod'
import { profileId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatQuantity } from '../quantity.ts'
import { sampleSelection } from './selection.ts'
import { callTreeEntryShape, exampleShare } from './shapes.ts'
import { profileViewLink } from './view-link.ts'

export const getFunctionCallers = defineOperation({
  id: 'get_function_callers',
  title: 'Get function callers',
  description: 'Who calls a function, and what it calls: two merged trees with shares of its total.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/profiles/{profile_id}/sandwich' },
  input: z.strictObject({
    profile_id: profileId,
    function_name: z.string().min(1).max(1000).describe('Its name, or a unique part.'),
    ...sampleSelection,
    depth: z.number().int().min(1).max(60).default(5).describe('Levels to either side.'),
    min_percent: z
      .number()
      .min(0)
      .max(100)
      .default(1)
      .describe('Leave out smaller shares. Of the total of the function.'),
    max_entries: z.number().int().min(1).max(5000).default(25).describe('Entries of either.'),
  }),
  output: z.object({
    profile_id: z.string(),
    function_name: z.string().describe('Its full name.'),
    sample_type: z.string(),
    unit: z.string(),
    self_value: z.number(),
    self_percent: z.number().describe('Of all selected samples.'),
    total_value: z.number(),
    total_percent: z.number(),
    callers: z
      .array(callTreeEntryShape)
      .describe('Depth 0 calls the function; self is what nobody further out called.'),
    callees: z.array(callTreeEntryShape).describe('Depth 0 is called by the function.'),
    omitted_callers: z.number().int(),
    omitted_callees: z.number().int(),
  }),
  problems: ['profile_not_found', 'function_not_found', 'not_ready', 'processing_failed'],
  examples: [
    {
      title: 'Who calls it',
      input: { profile_id: 'prf_01', function_name: 'applyDiscounts' },
      output: {
        profile_id: 'prf_01',
        function_name: 'applyDiscounts',
        sample_type: 'cpu',
        unit: 'nanoseconds',
        self_value: 900_000_000,
        self_percent: 42.9,
        total_value: 1_300_000_000,
        total_percent: 61.9,
        callers: [{ ...exampleShare, function_name: 'priceCart', depth: 0 }],
        callees: [{ ...exampleShare, function_name: 'roundCents', depth: 0 }],
        omitted_callers: 0,
        omitted_callees: 3,
      },
    },
  ],
  link: ({ profile_id, function_name }, selection) =>
    profileViewLink(profile_id, { view: 'sandwich', function: function_name, selection }),
  markdown: (answer) => {
    const side = (entries: typeof answer.callers, whenEmpty: string) =>
      table(
        ['Function', 'Origin', { title: 'Value', right: true }, { title: '% of it', right: true }],
        entries.map((row) => [
          `${'· '.repeat(row.depth)}${row.function_name}${row.file === null ? '' : ` (${row.file})`}`,
          row.origin,
          formatQuantity(row.total_value, answer.unit),
          row.total_percent.toFixed(2),
        ]),
        whenEmpty,
      )
    const share = (value: number, percent: number) =>
      `${formatQuantity(value, answer.unit)} (${percent.toFixed(2)} %)`
    return [
      `# ${answer.function_name}`,
      `Total ${share(answer.total_value, answer.total_percent)}, self ${share(answer.self_value, answer.self_percent)} of ${answer.sample_type}.`,
      '## Callers (a deeper row calls the one above)',
      side(answer.callers, 'Nothing calls it.'),
      '## Callees',
      side(answer.callees, 'It calls nothing.'),
      ...(answer.omitted_callers + answer.omitted_callees === 0
        ? []
        : [
            `_Left out: ${answer.omitted_callers} smaller callers, ${answer.omitted_callees} smaller callees._`,
          ]),
    ].join('\n\n')
  },
})
