import { newId, operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { liveAppsMax } from '../limits/live-limits.ts'
import { getProject } from '../targets.ts'
import { isoOrNull } from '../wire.ts'
import { liveAppOnWire } from './live-app-on-wire.ts'

export const registerLiveApp = implement(operations.registerLiveApp)(async (input, context) => {
  const { caller, deps } = context
  const project = await getProject(context, input.project_id)
  const id = newId('liveApp')
  const appsMax = liveAppsMax(deps.limits)
  const place = { workspaceId: project.workspaceId, projectId: project.id }
  const app = await deps.stores.live.register(caller, { id, ...place, name: input.name }, appsMax)
  if (app === undefined) {
    throw new Problem('in_use', `The project has ${appsMax} live apps, and there are no more to be had.`, {
      hint: [operations.deleteLiveApp, 'removes one'],
    })
  }
  const { secret, hash } = deps.newSecret()
  const { id: tokenId, expiresAt } = await deps.stores.apiTokens.create(caller, {
    id: newId('apiToken'),
    workspaceId: app.workspaceId,
    name: `Live app ${app.name}`,
    prefix: secret.slice(0, 8),
    scopes: ['push'],
    expiresAt:
      input.expires_in_days === null ? null : new Date(Date.now() + input.expires_in_days * 86_400_000),
    tokenHash: hash,
    liveApp: app,
  })
  context.concerns(app.workspaceId, app.id)
  const bridge = (what: string) =>
    `flamegate bridge ${what} --url ${deps.publicUrl} --app ${app.id} --token ${secret}`
  return {
    live_app: liveAppOnWire(app),
    is_new: app.id === id,
    api_token_id: tokenId,
    token: secret,
    expires_at: isoOrNull(expiresAt),
    push_url: `${deps.publicUrl}/v1/live-apps/${app.id}/pushes`,
    hotpath_command: bridge('hotpath'),
    prometheus_command: bridge('prometheus --target http://127.0.0.1:9100/metrics'),
    node_environment: {
      FLAMEGATE_LIVE_URL: deps.publicUrl,
      FLAMEGATE_LIVE_APP: app.id,
      FLAMEGATE_LIVE_TOKEN: secret,
    },
    otlp_environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${deps.publicUrl}/v1/live-apps/${app.id}/otlp`,
      // Values are percent-encoded: https://opentelemetry.io/docs/specs/otel/protocol/exporter/
      OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer%20${secret}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    },
  }
})
