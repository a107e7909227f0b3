import { z } from 'zod'
import { liveAppId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { liveAppLink } from './live-shapes.ts'

export const pushOtlp = defineOperation({
  id: 'push_otlp',
  title: 'Push what OpenTelemetry exports',
  description:
    'Add metrics or spans of OpenTelemetry to a live app. What the addresses for its exporters do for each request.',
  toolset: 'live',
  effect: 'write',
  scopes: ['write', 'push'],
  mcp: false,
  http: { method: 'POST', path: '/v1/live-apps/{live_app_id}/otlp-requests' },
  input: z.strictObject({
    live_app_id: liveAppId,
    signal: z.enum(['metrics', 'traces']).describe('What the request has.'),
    request: z
      .record(z.string(), z.unknown())
      .describe('ExportMetricsServiceRequest or ExportTraceServiceRequest, as OTLP/JSON has it.'),
  }),
  output: z.object({
    live_app_id: z.string(),
    sessions: z.array(z.string()).describe('Of each program that the request tells of.'),
    left_out: z.number().int().describe('Names that there was no room for.'),
  }),
  problems: ['live_app_not_found', 'insufficient_role', 'invalid_input', 'too_large', 'rate_limited'],
  examples: [
    {
      title: 'A gauge',
      input: {
        live_app_id: 'app_01',
        signal: 'metrics',
        request: {
          resourceMetrics: [
            {
              resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
              scopeMetrics: [{ metrics: [{ name: 'carts', gauge: { dataPoints: [{ asInt: '3' }] } }] }],
            },
          ],
        },
      },
      output: { live_app_id: 'app_01', sessions: ['otlp-0f3a8c21b7d94e65'], left_out: 0 },
    },
  ],
  link: ({ live_app_id }) => liveAppLink(live_app_id),
  markdown: ({ sessions, left_out }) =>
    `Added to ${sessions.length} processes.${left_out === 0 ? '' : ` There was no room for ${left_out} names.`}`,
})
