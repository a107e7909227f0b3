import { z } from 'zod'
import { timestamp } from '../fields.ts'

export const monitorId = z.string().min(1).max(64).describe('Id of the monitor (mon_…).')

/** Names of agents, in their workspace. */
export const monitorAgentName = z
  .string()
  .regex(/^[\w.-]{1,60}$/, 'Use letters, digits, dots, underscores and dashes.')

/** What is collected of a system under test. */
export const monitorShape = z.object({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  type: z.string(),
  version: z.number().int(),
  has_secret: z.boolean(),
  document: z.record(z.string(), z.unknown()).describe('By the schema monitor.json.'),
  is_reachable: z.boolean().nullable().describe('When it was seen last; null: never yet.'),
  message: z.string(),
  agent: z.string().describe('The agent that saw it.'),
  seen_at: timestamp.nullable(),
  updated_at: timestamp,
})
export type MonitorShape = z.output<typeof monitorShape>

export const monitorCounterShape = z.object({
  name: z.string(),
  unit: z.string(),
  value: z.number().nullable().describe('What only rises is told as what is added per second.'),
  is_kept: z.boolean().describe('Kept in runs.'),
})

/** What a check found. */
export const monitorCheckShape = z.object({
  is_reachable: z.boolean().nullable().describe('null: no agent has answered.'),
  message: z.string(),
  counters: z
    .array(monitorCounterShape)
    .max(200)
    .describe('Those that are kept, then the others: 200 at most.'),
  counter_count: z.number().int(),
})
type MonitorCheckShape = z.output<typeof monitorCheckShape>

export const monitorAgentShape = z.object({
  name: z.string(),
  agent_group: z.string(),
  version: z.string(),
  is_online: z.boolean().describe('Heard of within the last 30 s.'),
  last_seen_at: timestamp,
})

export const exampleMonitor: MonitorShape = {
  id: 'mon_01',
  project_id: 'prj_01',
  name: 'orders database',
  type: 'postgres',
  version: 1,
  has_secret: true,
  document: {
    type: 'postgres',
    name: 'orders database',
    host: '10.0.0.5',
    user: 'watch',
    agent_group: 'near-db',
    thresholds: [
      {
        name: 'too many connections',
        counters: ['connections.*'],
        above: 180,
        seconds: 10,
        severity: 'critical',
      },
    ],
  },
  is_reachable: true,
  message: '62 counters.',
  agent: 'db-1',
  seen_at: '2026-11-22T10:00:00.000Z',
  updated_at: '2026-11-22T10:00:00.000Z',
}

export const exampleMonitorCheck: MonitorCheckShape = {
  is_reachable: true,
  message: '62 counters.',
  counters: [{ name: 'connections.active', unit: '', value: 12, is_kept: true }],
  counter_count: 62,
}

/** Path of the page of a project's monitors. */
export function monitorsLink(projectId: string): string {
  return `/projects/${projectId}/monitors`
}

/** What was found, in words. */
export function checkLines({
  is_reachable: isReachable,
  message,
  counters,
  counter_count: count,
}: MonitorCheckShape): string {
  const state = isReachable === null ? 'No answer' : isReachable ? 'Reachable' : 'Not reachable'
  return [
    `${state}: ${message}`,
    ...counters.map(
      ({ name, unit, value, is_kept: isKept }) =>
        `- ${name} ${value ?? '?'} ${unit}`.trimEnd() + (isKept ? '' : ' (not kept)'),
    ),
    ...(count > counters.length ? [`and ${count - counters.length} more`] : []),
  ].join('\n')
}
