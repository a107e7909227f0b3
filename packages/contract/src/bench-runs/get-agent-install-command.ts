import { z } from 'zod'
import { timestamp, workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { agentGroup } from './bench-run-shapes.ts'

export const getAgentInstallCommand = defineOperation({
  id: 'get_agent_install_command',
  title: 'Get the command that starts an agent',
  description:
    'Makes a token for private agents of a workspace, shown once, and the command that starts one.',
  toolset: 'scenarios',
  effect: 'write',
  scopes: ['admin'],
  http: { method: 'POST', path: '/v1/workspaces/{workspace_id}/agent-tokens', status: 201 },
  input: z.strictObject({
    workspace_id: workspaceId,
    agent_group: agentGroup.default('default'),
    work: z
      .enum(['load', 'monitors'])
      .default('load')
      .describe('Whether it makes load, or collects monitors.'),
    expires_in_days: z.number().int().min(1).max(365).default(90).describe('The token works until then.'),
  }),
  output: z.object({
    workspace_id: z.string(),
    api_token_id: z.string(),
    token: z.string().describe('Gets the secrets of what agents run: keep it.'),
    command: z.string(),
    expires_at: timestamp,
  }),
  problems: ['workspace_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'For agents in a region',
      input: { workspace_id: 'ws_01', agent_group: 'eu-west' },
      output: {
        workspace_id: 'ws_01',
        api_token_id: 'tok_01',
        token: 'fg_…',
        command:
          'FLAMEGATE_URL=https://flamegate.example FLAMEGATE_TOKEN=fg_… flamegate agent --group eu-west --workspace ws_01',
        expires_at: '2027-02-20T10:00:00.000Z',
      },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/load-generators`,
  markdown: ({ command, expires_at }) =>
    `Run this where the agent is to work, as often as you want agents (until ${expires_at}):\n\n\`\`\`sh\n${command}\n\`\`\``,
})
