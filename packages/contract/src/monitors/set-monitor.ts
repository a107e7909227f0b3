import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import {
  checkLines,
  exampleMonitor,
  exampleMonitorCheck,
  monitorCheckShape,
  monitorShape,
  monitorsLink,
} from './monitor-shapes.ts'

export const setMonitor = defineOperation({
  id: 'set_monitor',
  title: 'Set a monitor',
  description:
    'Make, change or check a monitor of the system under test. document is {type: linux | prometheus | postgres | mysql | redis | nginx | jolokia | otlp, agent_group, counters, thresholds}: schema monitor.json.',
  toolset: 'monitoring',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'PUT', path: '/v1/projects/{project_id}/monitors/{name}' },
  input: z.strictObject({
    project_id: projectId,
    name: z.string().min(1).max(80).describe('Its name.'),
    document: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('Fields that are to be set; the others stay. A new one needs its type.'),
    secret: z
      .string()
      .max(10_000)
      .optional()
      .describe('Password or token, which nobody can read again. Empty: there is none any more.'),
    check: z.boolean().default(false).describe('Have an agent connect, and say which counters there are.'),
    if_version: z.int32().min(1).optional().describe('Refuse if it has another version by now.'),
  }),
  output: z.object({ monitor: monitorShape, check: monitorCheckShape.nullable() }),
  problems: ['project_not_found', 'invalid_input', 'conflict', 'version_mismatch', 'insufficient_role'],
  examples: [
    {
      title: 'A database, checked',
      input: {
        project_id: 'prj_01',
        name: 'orders database',
        document: { type: 'postgres', host: '10.0.0.5', user: 'watch', agent_group: 'near-db' },
        secret: 'correct horse',
        check: true,
      },
      output: { monitor: exampleMonitor, check: exampleMonitorCheck },
    },
  ],
  version: ({ monitor }) => monitor.version,
  link: ({ monitor }) => monitorsLink(monitor.project_id),
  markdown: ({ monitor: { name, id, type, version }, check }) =>
    [
      `**${name}** (${id}, ${type}), version ${version}.`,
      ...(check === null ? [] : [checkLines(check)]),
    ].join('\n'),
})
