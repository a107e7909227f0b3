import { z } from 'zod'
import { projectId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { exampleMcpTarget, figureCells, figureColumns, mcpTargetShape } from './mcp-shapes.ts'

export const listMcpTargets = defineOperation({
  id: 'list_mcp_targets',
  title: 'List MCP targets',
  description: 'MCP servers of a project: last numbers, score, alerts.',
  toolset: 'mcp_servers',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/mcp-targets' },
  input: z.strictObject({ project_id: projectId }),
  output: z.object({ project_id: z.string(), mcp_targets: z.array(mcpTargetShape) }),
  problems: ['project_not_found'],
  examples: [
    {
      title: 'One that is measured by a collector',
      input: { project_id: 'prj_01' },
      output: { project_id: 'prj_01', mcp_targets: [exampleMcpTarget] },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/mcp-servers`,
  markdown: ({ mcp_targets }) =>
    table(
      ['MCP target', 'Id', 'Address', 'Collectors', 'Monitored', 'Last', ...figureColumns, 'Alerts'],
      mcp_targets.map(({ last_session: last, monitor, ...target }) => [
        target.name,
        target.id,
        target.address,
        target.collectors.join(', '),
        monitor === null ? 'no' : `every ${monitor.interval_seconds} s`,
        last === null ? null : `${last.command} ${last.started_at}`,
        ...figureCells(last?.figures ?? null),
        target.alerts,
      ]),
      'No MCP server yet. register_mcp_target adds one; a report that mcp-profiler uploads does, too.',
    ),
})
