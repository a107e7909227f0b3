import {
  addHealth,
  addMetricsRoute,
  createServer,
  listen,
  type createMetricsRegistry,
  type Logger,
} from '@flamegate/runtime'

interface WatchedSettings {
  FLAMEGATE_HOST: string
  FLAMEGATE_PORT?: number | undefined
  FLAMEGATE_METRICS_TOKEN?: string | undefined
}

interface WatchedParts {
  log: Logger
  registry: ReturnType<typeof createMetricsRegistry>
  checks: Readonly<Record<string, () => Promise<unknown>>>
}

/** Answers whoever asks how the worker does, where a port is set for that. */
export async function openWatchedServer(
  settings: WatchedSettings,
  { log, registry, checks }: WatchedParts,
): Promise<{ close(): Promise<void> } | undefined> {
  const { FLAMEGATE_PORT: port } = settings
  if (port === undefined) return undefined
  const app = createServer({ log })
  addMetricsRoute(app, registry, { token: settings.FLAMEGATE_METRICS_TOKEN })
  addHealth(app, { checks })
  await listen(app, { ...settings, FLAMEGATE_PORT: port })
  return { close: () => app.close() }
}
