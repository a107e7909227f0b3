import { z } from 'zod'
import { projectId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { exampleMonitor, monitorAgentShape, monitorShape, monitorsLink } from './monitor-shapes.ts'

export const listMonitors = defineOperation({
  id: 'list_monitors',
  title: 'List monitors',
  description:
    'What is collected of the system under test while runs of a project go on, by which agents, with thresholds and whether it was reached.',
  toolset: 'monitoring',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/monitors' },
  input: z.strictObject({ project_id: projectId }),
  output: z.object({
    project_id: z.string(),
    workspace_id: z.string(),
    monitors: z.array(monitorShape).describe('By name.'),
    agents: z.array(monitorAgentShape).describe('That collect monitors in the workspace.'),
  }),
  problems: ['project_not_found'],
  examples: [
    {
      title: 'One',
      input: { project_id: 'prj_01' },
      output: {
        project_id: 'prj_01',
        workspace_id: 'ws_01',
        monitors: [exampleMonitor],
        agents: [
          {
            name: 'db-1',
            agent_group: 'near-db',
            version: '0.1.0',
            is_online: true,
            last_seen_at: '2026-11-22T10:00:00.000Z',
          },
        ],
      },
    },
  ],
  link: ({ project_id }) => monitorsLink(project_id),
  markdown: ({ monitors, agents }) =>
    [
      table(
        ['Name', 'Type', 'Id', 'Reachable', 'Message', 'Document'],
        monitors.map(({ name, type, id, is_reachable: isReachable, message, document }) => [
          name,
          type,
          id,
          isReachable === null ? 'never seen' : isReachable ? 'yes' : 'no',
          message,
          JSON.stringify(document),
        ]),
        'No monitors yet. set_monitor makes one.',
      ),
      `Agents: ${agents.map(({ name, agent_group: group, is_online: isOnline }) => `${name} (${group}, ${isOnline ? 'online' : 'away'})`).join('; ') || 'none; flamegate monitor --group starts one.'}`,
    ].join('\n\n'),
})
