import { createAuthenticator, openMasterKeys } from '@flamegate/auth'
import { awaitMigrations, checkConnections, createStores, openDatabase, statusStore } from '@flamegate/db'
import { openLimits } from '@flamegate/queue'
import {
  createLogger,
  createMetricsRegistry,
  installShutdown,
  listen,
  measurePools,
  measureRefusals,
  orExit,
  readConfig,
  startTracing,
} from '@flamegate/runtime'
import { openSignIns } from './accounts/elsewhere/open-sign-ins.ts'
import { openMailer } from './accounts/mail/open-mailer.ts'
import { httpApiCaller } from './api-caller.ts'
import { buildGateway } from './app.ts'
import { gatewayConfig } from './gateway-config.ts'
import { clientPolicy } from './oauth/oauth-settings.ts'
import { askHealth } from './status/ask-health.ts'

// The gateway as a process of its own, in front of the API.
const config = await orExit(() => readConfig(gatewayConfig, process.env))
const signIns = await orExit(() => openSignIns(config))
const publicUrl = config.FLAMEGATE_PUBLIC_URL
const log = createLogger({ level: config.FLAMEGATE_LOG_LEVEL, format: config.FLAMEGATE_LOG_FORMAT })
const tracing = await startTracing(
  'flamegate-gateway',
  config.OTEL_EXPORTER_OTLP_ENDPOINT,
  config.FLAMEGATE_TRACE_SHARE,
)
const database = openDatabase({
  // No operation runs here. Connections are opened on first use, so that there will be none of these.
  appUrl: config.FLAMEGATE_DATABASE_AUTH_URL,
  authUrl: config.FLAMEGATE_DATABASE_AUTH_URL,
  poolSize: config.FLAMEGATE_DATABASE_POOL,
  log,
})
await orExit(async () => {
  await checkConnections({ FLAMEGATE_DATABASE_AUTH_URL: config.FLAMEGATE_DATABASE_AUTH_URL })
  await awaitMigrations(database.auth, { log })
})
const stores = createStores(database, await orExit(() => openMasterKeys(config)))
const { identity } = stores
const authenticator = await createAuthenticator({ identity, issuer: publicUrl })
const apiCaller = httpApiCaller({
  apiUrl: config.FLAMEGATE_API_URL,
  assertions: authenticator.assertions,
  docsUrl: `${publicUrl}/v1/docs`,
  log,
})
const metrics = createMetricsRegistry()
measurePools(metrics, () => database.pools())
const limits = openLimits(config, log, measureRefusals(metrics))
const mailer = openMailer(config, publicUrl, log)
const { app, health } = await orExit(() =>
  buildGateway({
    publicUrl,
    identity,
    authenticator,
    apiCaller,
    rest: { apiUrl: config.FLAMEGATE_API_URL },
    log,
    metrics,
    status: {
      store: statusStore(database),
      checks: {
        database: () => database.auth.query('SELECT 1'),
        api: () => askHealth(config.FLAMEGATE_API_URL),
      },
    },
    isTraced: tracing !== undefined,
    metricsToken: config.FLAMEGATE_METRICS_TOKEN,
    checks: { database: () => database.auth.query('SELECT 1') },
    trustedProxies: config.FLAMEGATE_TRUSTED_PROXIES,
    clients: clientPolicy(config),
    accessTokenLifetimeSeconds: config.FLAMEGATE_ACCESS_TOKEN_SECONDS,
    limits: limits.ofCalls,
    allowedHosts: config.FLAMEGATE_ALLOWED_HOSTS,
    allowedOrigins: config.FLAMEGATE_ALLOWED_ORIGINS,
    storageOrigins: config.FLAMEGATE_STORAGE_ORIGINS,
    webRoot: config.FLAMEGATE_WEB_DIR,
    docsRoot: config.FLAMEGATE_DOCS_DIR,
    mailer,
    signIns,
    targetsAllowed: config.FLAMEGATE_TARGETS_ALLOWED,
    githubIssuer: config.FLAMEGATE_GITHUB_OIDC_ISSUER,
  }),
)
await orExit(() => listen(app, config))
const drainMs = config.FLAMEGATE_DRAIN_SECONDS * 1_000
installShutdown({
  log,
  deadlineMs: drainMs + 15_000,
  steps: [
    { name: 'readiness', run: () => health.drain(drainMs) },
    { name: 'server', run: () => app.close() },
    { name: 'mailer', run: () => mailer.close() },
    { name: 'api', run: () => apiCaller.close() },
    { name: 'authenticator', run: () => authenticator.close() },
    { name: 'limits', run: () => limits.close() },
    { name: 'stores', run: () => stores.close() },
    { name: 'database', run: () => database.close() },
    { name: 'tracing', run: () => tracing?.stop() },
  ],
})
