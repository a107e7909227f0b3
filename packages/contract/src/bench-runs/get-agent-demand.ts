import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { agentGroup } from './bench-run-shapes.ts'

export const getAgentDemand = defineOperation({
  id: 'get_agent_demand',
  title: 'Get the demand for agents',
  description:
    'How many agents of a group runs need now: what starts and stops agents by demand asks for it.',
  toolset: 'scenarios',
  effect: 'read',
  scopes: ['agent'],
  role: 'member',
  http: { method: 'GET', path: '/v1/workspaces/{workspace_id}/agent-groups/{agent_group}/demand' },
  mcp: false,
  input: z.strictObject({ workspace_id: workspaceId, agent_group: agentGroup }),
  output: z.object({
    workspace_id: z.string(),
    agent_group: z.string(),
    wanted: z
      .number()
      .int()
      .describe('Agents that would be enough: those that work, and those that are waited for.'),
    waiting: z.number().int().describe('Shards that no agent has yet.'),
    online: z.number().int().describe('Agents heard of within the last 30 s.'),
  }),
  problems: ['workspace_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'A run of ten waits for seven more',
      input: { workspace_id: 'ws_01', agent_group: 'eu-west' },
      output: { workspace_id: 'ws_01', agent_group: 'eu-west', wanted: 10, waiting: 7, online: 3 },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/load-generators`,
  markdown: ({ agent_group, wanted, online }) => `Group ${agent_group}: ${wanted} wanted, ${online} online.`,
})
