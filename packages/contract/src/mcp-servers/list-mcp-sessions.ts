import { z } from 'zod'
import { mcpTargetId, projectId } from '../fields.ts'
import { moreLine } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { exampleMcpSession, mcpSessionShape, mcpSessionsTable } from './mcp-shapes.ts'

export const listMcpSessions = defineOperation({
  id: 'list_mcp_sessions',
  title: 'List MCP sessions',
  description: 'Measurements of the MCP servers of a project, newest first, with their key figures.',
  toolset: 'mcp_servers',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/mcp-sessions' },
  mcp: false,
  input: z.strictObject({
    project_id: projectId,
    mcp_target_id: mcpTargetId.optional().describe('Only of this server.'),
    ...pageInput,
  }),
  output: z.object({ project_id: z.string(), mcp_sessions: z.array(mcpSessionShape), ...pageOutput }),
  problems: ['project_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'Of a project',
      input: { project_id: 'prj_01' },
      output: { project_id: 'prj_01', mcp_sessions: [exampleMcpSession], next_cursor: null },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/mcp-servers`,
  markdown: ({ mcp_sessions, next_cursor }) => mcpSessionsTable(mcp_sessions) + moreLine(next_cursor),
})
