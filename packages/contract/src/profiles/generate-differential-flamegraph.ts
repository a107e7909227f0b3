import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { formatQuantity } from '../quantity.ts'
import { comparedProfiles, comparisonBasis, exampleBasis } from './compared-profiles.ts'
import { comparisonLink } from './comparison-link.ts'

export const generateDifferentialFlamegraph = defineOperation({
  id: 'generate_differential_flamegraph',
  title: 'Generate a differential flame graph',
  description:
    'The call trees of two profiles, or two sets of them, as one, with the values of both sides as columns to draw it from.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  mcp: false,
  http: { method: 'GET', path: '/v1/profiles/compare/flamegraph' },
  input: z.strictObject({
    ...comparedProfiles,
    max_nodes: z
      .number()
      .int()
      .min(1)
      .max(100_000)
      .default(200)
      .describe('How many nodes to keep; those that are smallest on both sides are left out.'),
  }),
  output: z.object({
    ...comparisonBasis,
    functions: z
      .array(z.object({ name: z.string(), file: z.string().nullable(), origin: z.string() }))
      .describe('Functions that nodes name by index.'),
    nodes: z
      .object({
        parent: z
          .array(z.number().int())
          .describe('Index of the parent node; -1 for the root. Parents come first.'),
        function: z.array(z.number().int()).describe('-1 for the root.'),
        base_self: z.array(z.number()),
        base_total: z.array(z.number()),
        head_self: z.array(z.number()),
        head_total: z.array(z.number()),
      })
      .describe('The call tree as columns of equal length.'),
    omitted_node_count: z.number().int(),
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
      title: 'A tree of two nodes',
      input: { base: ['prf_01'], head: ['prf_02'] },
      output: {
        ...exampleBasis,
        functions: [{ name: 'main', file: 'src/main.js', origin: 'User code' }],
        nodes: {
          parent: [-1, 0],
          function: [-1, 0],
          base_self: [0, 2_100_000_000],
          base_total: [2_100_000_000, 2_100_000_000],
          head_self: [0, 2_900_000_000],
          head_total: [2_900_000_000, 2_900_000_000],
        },
        omitted_node_count: 0,
      },
    },
  ],
  link: (_answer, input) => comparisonLink(input),
  markdown: ({ nodes, base_value, head_value, unit, omitted_node_count: omitted }) =>
    `Differential flame graph of ${nodes.parent.length} nodes, from ${formatQuantity(base_value, unit)} to ` +
    `${formatQuantity(head_value, unit)}${omitted > 0 ? `; ${omitted} smaller nodes are left out (raise max_nodes)` : ''}. ` +
    'The link shows it; compare_profiles reads it to you.',
})
