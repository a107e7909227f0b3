import { z } from 'zod'
import { profileId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { formatQuantity } from '../quantity.ts'
import { sampleSelection } from './selection.ts'
import { profileViewLink } from './view-link.ts'

export const generateFlamegraph = defineOperation({
  id: 'generate_flamegraph',
  title: 'Generate a flame graph',
  description: 'The call tree of a profile as columns to draw a flame graph from.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/profiles/{profile_id}/flamegraph' },
  input: z.strictObject({
    profile_id: profileId,
    ...sampleSelection,
    root_function_name: z.string().max(1000).optional().describe('Only below this function.'),
    inverted: z.boolean().default(false).describe('Callers below callees.'),
    max_nodes: z.number().int().min(1).max(100_000).default(200).describe('Nodes to keep, the largest.'),
  }),
  output: z.object({
    profile_id: z.string(),
    sample_type: z.string(),
    unit: z.string(),
    total_value: z.number(),
    functions: z
      .array(z.object({ name: z.string(), file: z.string().nullable(), origin: z.string() }))
      .describe('Functions that nodes name by index.'),
    nodes: z
      .object({
        parent: z
          .array(z.number().int())
          .describe('Index of the parent node; -1 for a root. Parents come first.'),
        function: z.array(z.number().int()),
        self: z.array(z.number()),
        total: z.array(z.number()),
      })
      .describe('The call tree as columns of equal length.'),
    omitted_node_count: z.number().int(),
    truncated: z.boolean(),
    note: z.string().nullable().describe('Of an inverted tree that is cut.'),
  }),
  problems: ['profile_not_found', 'function_not_found', 'not_ready', 'processing_failed'],
  examples: [
    {
      title: 'A tree of two nodes',
      input: { profile_id: 'prf_01' },
      output: {
        profile_id: 'prf_01',
        sample_type: 'cpu',
        unit: 'nanoseconds',
        total_value: 100,
        functions: [
          { name: 'main', file: 'src/main.js', origin: 'User code' },
          { name: 'parse', file: null, origin: 'Unknown' },
        ],
        nodes: { parent: [-1, 0], function: [0, 1], self: [40, 60], total: [100, 60] },
        omitted_node_count: 0,
        truncated: false,
        note: null,
      },
    },
  ],
  link: ({ profile_id }, { root_function_name, inverted, ...selection }) =>
    profileViewLink(profile_id, { root: root_function_name, inverted, selection }),
  markdown: (graph) =>
    `Flame graph of ${graph.nodes.parent.length} nodes, ${formatQuantity(graph.total_value, graph.unit)} in all${
      graph.truncated ? `; ${graph.omitted_node_count} smaller nodes are left out (raise max_nodes)` : ''
    }.${graph.note === null ? '' : ` ${graph.note}`} The link shows it; query_flamegraph reads it to you.`,
})
