import { z } from 'zod'
import { defineOperation } from '../operation.ts'

export const describeTool = defineOperation({
  id: 'describe_tool',
  title: 'Describe a tool',
  description:
    'One tool whole: what it does, its input and output schema, effect, scopes, REST route, problems and examples.',
  toolset: 'general',
  effect: 'read',
  scopes: ['read'],
  tenancy: 'none',
  http: { method: 'GET', path: '/v1/tools/{name}' },
  input: z.strictObject({
    name: z.string().min(1).max(60).describe('Name of the tool; find_tools shows them.'),
  }),
  output: z.object({
    name: z.string(),
    title: z.string(),
    description: z.string(),
    toolset: z.string(),
    effect: z.string(),
    scopes: z.array(z.string()),
    rest: z.string().describe('Method and path over REST.'),
    input_schema: z.record(z.string(), z.unknown()),
    output_schema: z.record(z.string(), z.unknown()),
    problems: z.array(z.string()),
    examples: z.array(z.object({ title: z.string(), input: z.record(z.string(), z.unknown()) })),
  }),
  problems: ['tool_not_found'],
  examples: [
    {
      title: 'compare_runs',
      input: { name: 'compare_runs' },
      output: {
        name: 'compare_runs',
        title: 'Compare two runs',
        description: 'Judge a run against another.',
        toolset: 'benchmarks',
        effect: 'read',
        scopes: ['read'],
        rest: 'GET /v1/runs/compare',
        input_schema: { type: 'object' },
        output_schema: { type: 'object' },
        problems: ['run_not_found'],
        examples: [{ title: 'A slower run', input: { head_run_id: 'run_02' } }],
      },
    },
  ],
  link: () => '/connect',
  markdown: (tool) =>
    [
      `# ${tool.name}: ${tool.title}`,
      tool.description,
      `Effect ${tool.effect}${asksFirst(tool.effect) ? ', which over MCP is confirmed first' : ''}; scope ${tool.scopes.join(' or ')}; REST \`${tool.rest}\`.`,
      `Input:\n\n\`\`\`json\n${JSON.stringify(tool.input_schema, null, 1)}\n\`\`\``,
      ...tool.examples.map((example) => `${example.title}: \`${JSON.stringify(example.input)}\``),
    ].join('\n\n'),
})

function asksFirst(effect: string): boolean {
  return effect === 'destroy' || effect === 'run'
}
