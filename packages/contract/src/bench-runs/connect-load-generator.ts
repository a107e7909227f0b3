import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { agentGroup, browserUsersMax, foundEngineShape } from './bench-run-shapes.ts'

export const connectLoadGenerator = defineOperation({
  id: 'connect_load_generator',
  title: 'Connect a load generator',
  description: 'What flamegate agent --group says of itself when it begins, and every few minutes.',
  toolset: 'scenarios',
  effect: 'write',
  scopes: ['agent'],
  http: { method: 'PUT', path: '/v1/workspaces/{workspace_id}/load-generators/{name}' },
  mcp: false,
  input: z.strictObject({
    workspace_id: workspaceId,
    name: z
      .string()
      .regex(/^[\w.-]{1,60}$/, 'Use letters, digits, dots, underscores and dashes.')
      .describe('Of the agent, in its workspace.'),
    agent_group: agentGroup,
    version: z.string().max(40).describe('Of the program.'),
    cores: z.number().int().min(1).max(10_000).describe('Of the machine.'),
    memory_bytes: z.number().min(0).describe('Of the machine.'),
    browser_users_max: browserUsersMax.default(0),
    engines: z
      .array(foundEngineShape)
      .max(10)
      .default([])
      .describe('Engines of others that are installed there.'),
  }),
  output: z.object({ workspace_id: z.string(), load_generator_id: z.string() }),
  problems: ['workspace_not_found', 'insufficient_role', 'conflict'],
  examples: [
    {
      title: 'One',
      input: {
        workspace_id: 'ws_01',
        name: 'eu-1',
        agent_group: 'eu-west',
        version: '0.1.0',
        cores: 4,
        memory_bytes: 8_000_000_000,
        browser_users_max: 8,
        engines: [{ type: 'k6', version: '1.3.0', is_allowed: true }],
      },
      output: { workspace_id: 'ws_01', load_generator_id: 'gen_01' },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/load-generators`,
  markdown: ({ load_generator_id }) => `Load generator ${load_generator_id} is connected.`,
})
