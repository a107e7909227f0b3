import {
  createAuthenticator,
  createSealing,
  loadAuditKey,
  loadStorageKey,
  openMasterKeys,
} from '@flamegate/auth'
import {
  awaitMigrations,
  checkConnections,
  createStores,
  lookAtBacklog,
  openDatabase,
  watchBenchNews,
} from '@flamegate/db'
import { createExecute, implementations } from '@flamegate/operations'
import { openLimits, openQueue } from '@flamegate/queue'
import {
  addTraceHeaders,
  addHealth,
  addMetricsRoute,
  createLogger,
  createMetricsRegistry,
  createServer,
  installShutdown,
  listen,
  mailServerOf,
  measureBacklog,
  measureFolder,
  measurePools,
  measureQueue,
  measureRefusals,
  measureRequests,
  measureStorage,
  orExit,
  readConfig,
  startTracing,
} from '@flamegate/runtime'
import { createArchiveLinks, objectRoutes, openStorage, toldStorage } from '@flamegate/storage'
import { apiConfig } from './api-config.ts'
import { apiPlugin } from './api-plugin.ts'
import { operationDeps } from './operation-deps.ts'

// The API as a process of its own, behind the gateway.
const config = await orExit(() => readConfig(apiConfig, process.env))
const publicUrl = config.FLAMEGATE_PUBLIC_URL
const registry = createMetricsRegistry()
const log = createLogger({ level: config.FLAMEGATE_LOG_LEVEL, format: config.FLAMEGATE_LOG_FORMAT })
const tracing = await startTracing(
  'flamegate-api',
  config.OTEL_EXPORTER_OTLP_ENDPOINT,
  config.FLAMEGATE_TRACE_SHARE,
)
const database = openDatabase({
  appUrl: config.FLAMEGATE_DATABASE_APP_URL,
  authUrl: config.FLAMEGATE_DATABASE_AUTH_URL,
  poolSize: config.FLAMEGATE_DATABASE_POOL,
  log,
})
await orExit(async () => {
  await checkConnections({
    FLAMEGATE_DATABASE_APP_URL: config.FLAMEGATE_DATABASE_APP_URL,
    FLAMEGATE_DATABASE_AUTH_URL: config.FLAMEGATE_DATABASE_AUTH_URL,
    FLAMEGATE_DATABASE_QUEUE_URL:
      config.REDIS_URL === undefined ? config.FLAMEGATE_DATABASE_QUEUE_URL : undefined,
  })
  await awaitMigrations(database.auth, { log })
})
const data = createStores(database, await orExit(() => openMasterKeys(config)))
const { stores, identity } = data
const queue = await orExit(() =>
  openQueue({
    redisUrl: config.REDIS_URL,
    postgresUrl: config.FLAMEGATE_DATABASE_QUEUE_URL,
    traceContext: () => addTraceHeaders({}),
    log,
  }),
)
const links = { baseUrl: publicUrl, signingKey: await loadStorageKey(identity) }
const opened = await orExit(async () => openStorage(config, links))
const { folder } = opened
const storage = toldStorage(opened.storage, measureStorage(registry))
const archiveLinks = createArchiveLinks(links)
const authenticator = await createAuthenticator({ identity, issuer: publicUrl })
const limits = openLimits(config, log, measureRefusals(registry))

const app = createServer({
  log,
  trustedProxies: config.FLAMEGATE_TRUSTED_PROXIES,
  isTraced: tracing !== undefined,
})
measureRequests(app, registry)
measurePools(registry, () => database.pools())
measureQueue(registry, queue)
measureBacklog(registry, () => lookAtBacklog(database))
if (folder !== undefined && config.FLAMEGATE_STORAGE_DIR !== undefined) {
  measureFolder(registry, config.FLAMEGATE_STORAGE_DIR)
}
addMetricsRoute(app, registry, { token: config.FLAMEGATE_METRICS_TOKEN })
const health = addHealth(app, {
  checks: { database: () => database.auth.query('SELECT 1'), queue: () => queue.check() },
})
const sealing = createSealing(identity)
const mailServer = mailServerOf(config, publicUrl)
await app.register(
  apiPlugin({
    execute: createExecute(
      implementations,
      operationDeps({
        stores,
        queue,
        queueDesk: queue,
        storage,
        archiveLinks,
        publicUrl,
        admins: config.FLAMEGATE_ADMINS,
        pushedProfileDays: config.FLAMEGATE_PUSHED_PROFILE_DAYS,
        validationDays: config.FLAMEGATE_VALIDATION_DAYS,
        limits: limits.ofCalls,
        auditKey: await loadAuditKey(identity),
        sealing,
        githubApiUrl: config.FLAMEGATE_GITHUB_API_URL,
        webhooksToLoopback: config.FLAMEGATE_WEBHOOKS_TO_LOOPBACK,
        mailServer,
        targetsAllowed: config.FLAMEGATE_TARGETS_ALLOWED,
        dnsServers: config.FLAMEGATE_DNS_SERVERS,
        ssoDomains: config.FLAMEGATE_SSO_DOMAINS,
      }),
      config.FLAMEGATE_DATABASE_POOL,
    ),
    authenticator,
    idempotency: { store: stores.idempotency, sealing },
    badges: stores,
    publicUrl,
    allowAssertion: true,
    codspeed: { links: archiveLinks, storage, queue, stores, limits: limits.ofCalls },
    pushed: { storage, queue },
    scim: { stores, identity, limits: limits.ofCalls },
    live: { stores, watch: (listener) => watchBenchNews(database, listener) },
    ...(folder === undefined ? {} : { objectRoutes: objectRoutes(folder) }),
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
    { name: 'authenticator', run: () => authenticator.close() },
    { name: 'mail', run: () => mailServer?.close() },
    { name: 'queue', run: () => queue.close() },
    { name: 'limits', run: () => limits.close() },
    { name: 'stores', run: () => data.close() },
    { name: 'database', run: () => database.close() },
    { name: 'tracing', run: () => tracing?.stop() },
  ],
})
