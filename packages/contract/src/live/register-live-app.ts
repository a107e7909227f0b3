import { z } from 'zod'
import { projectId, timestamp } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleLiveApp, liveAppName, liveAppShape } from './live-app-shapes.ts'

const settings = z.record(z.string(), z.string())

export const registerLiveApp = defineOperation({
  id: 'register_live_app',
  title: 'Register a live app',
  description:
    'Make a live app, or get a further token of one: how a running program pushes to it. The token is shown once.',
  toolset: 'live',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/projects/{project_id}/live-apps', status: 201 },
  input: z.strictObject({
    project_id: projectId,
    name: liveAppName,
    expires_in_days: z
      .number()
      .int()
      .min(1)
      .max(3650)
      .nullable()
      .default(365)
      .describe('The token works so long; null: always.'),
  }),
  output: z.object({
    live_app: liveAppShape,
    is_new: z.boolean().describe('False: there was one of that name.'),
    api_token_id: z.string().describe('revoke_api_token makes it stop working.'),
    token: z.string().describe('Can push to this app, and do nothing else. Shown this once.'),
    expires_at: timestamp.nullable(),
    push_url: z.string(),
    hotpath_command: z.string().describe('Run it beside a program with hotpath-rs.'),
    prometheus_command: z.string().describe('Run it where what Prometheus would scrape is reached.'),
    node_environment: settings.describe('Of a Node program with @flamegate/profiler.'),
    otlp_environment: settings.describe('Of a program with an OpenTelemetry SDK.'),
  }),
  problems: ['project_not_found', 'insufficient_role', 'in_use'],
  examples: [
    {
      title: 'A program',
      input: { project_id: 'prj_01', name: 'shop' },
      output: {
        live_app: { ...exampleLiveApp, state: 'waiting', last_push_at: null, size_bytes: 0 },
        is_new: true,
        api_token_id: 'tok_01',
        token: 'fg_…',
        expires_at: '2027-11-22T10:00:00.000Z',
        push_url: 'https://flamegate.example/v1/live-apps/app_01/pushes',
        hotpath_command: 'flamegate bridge hotpath --url https://flamegate.example --app app_01 --token fg_…',
        prometheus_command:
          'flamegate bridge prometheus --target http://127.0.0.1:9100/metrics --url https://flamegate.example --app app_01 --token fg_…',
        node_environment: {
          FLAMEGATE_LIVE_URL: 'https://flamegate.example',
          FLAMEGATE_LIVE_APP: 'app_01',
          FLAMEGATE_LIVE_TOKEN: 'fg_…',
        },
        otlp_environment: {
          OTEL_EXPORTER_OTLP_ENDPOINT: 'https://flamegate.example/v1/live-apps/app_01/otlp',
          OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20fg_…',
          OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
        },
      },
    },
  ],
  link: ({ live_app }) => `/live-apps/${live_app.id}`,
  markdown: ({ live_app, is_new, hotpath_command, prometheus_command, node_environment, otlp_environment }) =>
    [
      `Live app **${live_app.name}** (${live_app.id})${is_new ? '' : ' was there already; this is a further token'}. Its token is shown this once.`,
      `Rust with hotpath-rs, beside the program:\n\n${shell(hotpath_command)}`,
      `What has metrics for Prometheus:\n\n${shell(prometheus_command)}`,
      `Node with \`@flamegate/profiler\`, in its environment:\n\n${shell(exported(node_environment))}`,
      `Any OpenTelemetry SDK, in its environment:\n\n${shell(exported(otlp_environment))}`,
    ].join('\n\n'),
})

function shell(lines: string): string {
  return `\`\`\`sh\n${lines}\n\`\`\``
}

function exported(environment: Record<string, string>): string {
  return Object.entries(environment)
    .map(([name, value]) => `export ${name}='${value}'`)
    .join('\n')
}
