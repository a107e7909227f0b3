import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { liveAlertShape, mcpAlertShape } from '../live/alert-shapes.ts'
import { facts } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { alertShape, exampleAlert } from './watch-shapes.ts'

export const resolveAlert = defineOperation({
  id: 'resolve_alert',
  title: 'Resolve an alert',
  description:
    'Acknowledge an alert (accepted: it fails no check), mute it for a while, resolve or reopen it, with a reason.',
  toolset: 'benchmarks',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/alerts/{alert_id}/resolve' },
  idempotent: true,
  input: z.strictObject({
    alert_id: z
      .string()
      .min(1)
      .max(64)
      .describe('Id of the alert (alt_… or lal_…); list_performance_alerts shows them.'),
    action: z
      .enum(['acknowledge', 'mute', 'resolve', 'reopen'])
      .default('resolve')
      .describe('What to do with it.'),
    reason: z.string().max(1000).default('').describe('Why, for others.'),
    mute_until: timestamp.optional().describe('With mute: until when; else a week.'),
  }),
  output: z.object({ alert: z.discriminatedUnion('kind', [alertShape, liveAlertShape, mcpAlertShape]) }),
  problems: ['alert_not_found', 'insufficient_role', 'invalid_input', 'conflict'],
  examples: [
    {
      title: 'Accept a slowdown',
      input: { alert_id: 'alt_01', action: 'acknowledge', reason: 'The price of the new tax rules.' },
      output: {
        alert: {
          ...exampleAlert,
          state: 'acknowledged',
          state_by: 'ada@example.com',
          state_reason: 'The price of the new tax rules.',
          state_at: '2026-11-20T11:00:00.000Z',
        },
      },
    },
  ],
  link: ({ alert }) => `/projects/${alert.project_id}/alerts`,
  markdown: ({ alert }) =>
    facts({
      Alert: alert.id,
      ...(alert.kind === 'benchmark' ? { Benchmark: alert.uri } : { Of: alert.name }),
      State: alert.state,
      Why: alert.state_reason,
    }),
})
