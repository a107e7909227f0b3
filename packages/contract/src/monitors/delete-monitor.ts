import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { monitorId, monitorsLink } from './monitor-shapes.ts'

export const deleteMonitor = defineOperation({
  id: 'delete_monitor',
  title: 'Delete a monitor',
  description: 'Remove a monitor. What it collected in runs stays.',
  toolset: 'monitoring',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/monitors/{monitor_id}' },
  mcp: false,
  input: z.strictObject({ monitor_id: monitorId }),
  output: z.object({ monitor_id: z.string(), project_id: z.string(), deleted: z.literal(true) }),
  problems: ['monitor_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Delete',
      input: { monitor_id: 'mon_01' },
      output: { monitor_id: 'mon_01', project_id: 'prj_01', deleted: true },
    },
  ],
  link: ({ project_id }) => monitorsLink(project_id),
  markdown: ({ monitor_id }) => `Monitor ${monitor_id} is deleted.`,
})
