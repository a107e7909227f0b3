import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import {
  checkLines,
  exampleMonitor,
  exampleMonitorCheck,
  monitorCheckShape,
  monitorId,
  monitorShape,
  monitorsLink,
} from './monitor-shapes.ts'

export const getMonitor = defineOperation({
  id: 'get_monitor',
  title: 'Get a monitor',
  description: 'A monitor with the counters that its last check found.',
  toolset: 'monitoring',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/monitors/{monitor_id}' },
  mcp: false,
  input: z.strictObject({ monitor_id: monitorId }),
  output: z.object({
    monitor: monitorShape,
    check: monitorCheckShape.nullable().describe('null: it was never checked.'),
    checked_at: timestamp.nullable(),
  }),
  problems: ['monitor_not_found'],
  examples: [
    {
      title: 'One',
      input: { monitor_id: 'mon_01' },
      output: { monitor: exampleMonitor, check: exampleMonitorCheck, checked_at: '2026-11-22T10:00:00.000Z' },
    },
  ],
  version: ({ monitor }) => monitor.version,
  link: ({ monitor }) => monitorsLink(monitor.project_id),
  markdown: ({ monitor: { name, id, type }, check }) =>
    [`**${name}** (${id}, ${type})`, check === null ? 'Never checked.' : checkLines(check)].join('\n'),
})
