import { z } from 'zod'
import { defineOperation } from '../operation.ts'

export const callTool = defineOperation({
  id: 'call_tool',
  title: 'Call a tool',
  description:
    'Call any tool by name, also one that is not listed here: find_tools finds it, describe_tool shows its arguments. Scope, confirmation and limits are those of the tool that is called.',
  toolset: 'general',
  effect: 'run',
  // What is needed is for the tool that is called to say.
  scopes: ['run', 'read', 'write', 'admin', 'upload'],
  role: 'viewer',
  tenancy: 'none',
  http: { method: 'POST', path: '/v1/tools/{name}/calls' },
  input: z.strictObject({
    name: z.string().min(1).max(60).describe('Name of the tool.'),
    arguments: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('Its arguments, as describe_tool shows them.'),
  }),
  output: z.object({
    tool: z.string(),
    answer: z
      .record(z.string(), z.unknown())
      .describe('What the tool answers. Over MCP the result is that of the tool itself.'),
  }),
  problems: ['tool_not_found'],
  examples: [
    {
      title: 'A tool that find_tools found',
      input: { name: 'list_runs', arguments: { repository: 'acme/checkout-service', limit: 1 } },
      output: {
        tool: 'list_runs',
        answer: { repository: 'acme/checkout-service', runs: [], next_cursor: null },
      },
    },
  ],
  link: () => '/connect',
  markdown: ({ tool, answer }) => `${tool}:\n\n\`\`\`json\n${JSON.stringify(answer, null, 1)}\n\`\`\``,
})
