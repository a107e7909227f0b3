import { z } from 'zod'
import { mcpSessionId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleMcpSession, mcpSessionLink, mcpSessionShape, mcpSessionsTable } from './mcp-shapes.ts'

export const getMcpSession = defineOperation({
  id: 'get_mcp_session',
  title: 'Get an MCP session',
  description: 'One measurement of an MCP server with its whole report.',
  toolset: 'mcp_servers',
  effect: 'read',
  scopes: ['read', 'upload'],
  role: 'viewer',
  http: { method: 'GET', path: '/v1/mcp-sessions/{mcp_session_id}' },
  mcp: false,
  input: z.strictObject({ mcp_session_id: mcpSessionId }),
  output: z.object({
    mcp_session: mcpSessionShape,
    report: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('As mcp-profiler writes it; null: none yet.'),
    result: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('What the command found beside the report: a capacity, a proposal.'),
  }),
  problems: ['mcp_session_not_found'],
  examples: [
    {
      title: 'One that waits',
      input: { mcp_session_id: 'mcs_01' },
      output: {
        mcp_session: { ...exampleMcpSession, state: 'PENDING', figures: null },
        report: null,
        result: null,
      },
    },
  ],
  link: ({ mcp_session }) => mcpSessionLink(mcp_session.id),
  markdown: ({ mcp_session }) => mcpSessionsTable([mcp_session]),
})
