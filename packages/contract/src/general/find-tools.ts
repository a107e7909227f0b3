import { z } from 'zod'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { toolsetNames } from '../toolset.ts'

export const findTools = defineOperation({
  id: 'find_tools',
  title: 'Find tools',
  description:
    'Tools that fit a question, also those that are not listed here, with their toolset and a line on each. describe_tool then shows one whole, call_tool calls it.',
  toolset: 'general',
  effect: 'read',
  scopes: ['read'],
  tenancy: 'none',
  http: { method: 'GET', path: '/v1/tools' },
  input: z.strictObject({
    query: z.string().max(300).default('').describe('Words of the question; empty lists all.'),
    toolset: z.enum(toolsetNames).optional().describe('Only this toolset.'),
    limit: z.number().int().min(1).max(200).default(10).describe('How many at most, best first.'),
  }),
  output: z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        toolset: z.string(),
        effect: z.string(),
        description: z.string(),
      }),
    ),
  }),
  problems: [],
  examples: [
    {
      title: 'Flame graphs',
      input: { query: 'where is the time going', limit: 1 },
      output: {
        tools: [
          {
            name: 'query_flamegraph',
            title: 'Query a flame graph',
            toolset: 'profiles',
            effect: 'read',
            description: 'Summarize the flame graph of a run’s benchmark, or of any profile.',
          },
        ],
      },
    },
  ],
  link: () => '/connect',
  markdown: ({ tools }) =>
    table(
      ['Tool', 'Toolset', 'Effect', 'What'],
      tools.map((tool) => [tool.name, tool.toolset, tool.effect, tool.description]),
      'No tool fits. Try other words, or an empty query.',
    ),
})
