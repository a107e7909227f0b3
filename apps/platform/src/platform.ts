import { createServer as createTcpServer } from 'node:net'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { apiPlugin, operationDeps } from '@flamegate/api'
import {
  createAuthenticator,
  createSealing,
  loadAuditKey,
  loadStorageKey,
  openMasterKeys,
} from '@flamegate/auth'
import { createStores, lookAtBacklog, statusStore, watchBenchNews } from '@flamegate/db'
import { buildGateway, clientPolicy, inProcessApiCaller, openMailer, openSignIns } from '@flamegate/gateway'
import { createExecute, implementations } from '@flamegate/operations'
import { openLimits, openQueue } from '@flamegate/queue'
import {
  addTraceHeaders,
  cannotListen,
  createMetricsRegistry,
  mailServerOf,
  measureBacklog,
  measureFolder,
  measurePools,
  measureQueue,
  measureRefusals,
  measureStorage,
  startTracing,
  type Logger,
  type ShutdownStep,
} from '@flamegate/runtime'
import { createArchiveLinks, objectRoutes, openStorage, toldStorage } from '@flamegate/storage'
import { demoAgent, demoLogin, ensureDemoAccount, seedDemo, type DemoLogin } from './demo.ts'
import { acquireInstanceLock } from './instance-lock.ts'
import { masterKeysOfDataDir } from './keys/data-dir-keys.ts'
import { openPlatformDatabase } from './open-database.ts'
import type { PlatformConfig } from './platform-config.ts'
import { removeReadyFile, writeReadyFile } from './ready-file.ts'
import { storageOriginsOf } from './storage-origins.ts'
import { startAgentProcess, startWorkerProcess } from './supervised-process.ts'
import { workerEnvironment } from './worker-environment.ts'

export interface Platform {
  url: string
  mcpUrl: string
  demo: DemoLogin
}

const repositoryDir = resolve(import.meta.dirname, '../../..')

/**
 * Boots everything: database, API and gateway in this process, the worker beside it, web pages; seeds the demo on the first start;
 * then writes `ready.json`. Whatever it starts, it puts in front of `steps`, which stop it again, in order.
 * @param stopping ends it in the middle
 */
export async function startPlatform(
  config: PlatformConfig,
  log: Logger,
  say: (line: string) => void,
  steps: ShutdownStep[],
  stopping: AbortSignal,
): Promise<Platform> {
  const dataDir = resolve(config.FLAMEGATE_DATA_DIR)
  const lock = await acquireInstanceLock(dataDir)
  steps.unshift({ name: 'lock', run: () => lock.release() })
  const tracing = await startTracing(
    'flamegate',
    config.OTEL_EXPORTER_OTLP_ENDPOINT,
    config.FLAMEGATE_TRACE_SHARE,
  )
  steps.unshift({ name: 'tracing', run: () => tracing?.stop() })
  await removeReadyFile(dataDir)
  const port = await usablePort(config)
  const localUrl = `http://${hostInUrl(config.FLAMEGATE_HOST)}:${port}`
  const publicUrl = config.FLAMEGATE_PUBLIC_URL ?? localUrl

  say('Starting the database …')
  const keySettings = await masterKeysOfDataDir({ ...config, FLAMEGATE_DATA_DIR: dataDir })
  const masterKeys = await openMasterKeys(keySettings)
  const opening = openPlatformDatabase(keySettings, masterKeys, log)
  // A database that is half made is made to its end.
  const close = () =>
    opening.then(
      (opened) => opened.close(),
      () => undefined,
    )
  steps.unshift({ name: 'database', run: close })
  const { database, urls } = await opening
  stopping.throwIfAborted()
  const data = createStores(database, masterKeys)
  const { stores, identity } = data
  steps.unshift({ name: 'stores', run: () => data.close() })
  const queue = await openQueue({
    redisUrl: config.REDIS_URL,
    postgresUrl: urls.queue,
    traceContext: () => addTraceHeaders({}),
    log,
  })
  steps.unshift({ name: 'queue', run: () => queue.close() })
  const storageDir = resolve(config.FLAMEGATE_STORAGE_DIR ?? join(dataDir, 'objects'))
  const links = { baseUrl: publicUrl, signingKey: await loadStorageKey(identity) }
  const { storage: plainStorage, folder } = await openStorage(
    { ...config, FLAMEGATE_STORAGE_DIR: storageDir },
    links,
  )
  const metrics = createMetricsRegistry()
  measurePools(metrics, () => database.pools())
  measureQueue(metrics, queue)
  measureBacklog(metrics, () => lookAtBacklog(database))
  if (folder !== undefined) measureFolder(metrics, storageDir)
  const storage = toldStorage(plainStorage, measureStorage(metrics))
  const archiveLinks = createArchiveLinks(links)
  const authenticator = await createAuthenticator({ identity, issuer: publicUrl })
  steps.unshift({ name: 'authenticator', run: () => authenticator.close() })
  stopping.throwIfAborted()
  const worker = startWorkerProcess(
    workerEnvironment(config, { publicUrl, localUrl, urls, storageDir, keySettings }),
    log,
  )
  steps.unshift({ name: 'worker', run: () => worker.stop() })

  const demo = await demoLogin(dataDir)
  // Whoever started this for themselves has the demo's account and no other yet.
  const admins = config.FLAMEGATE_ADMINS.length > 0 ? config.FLAMEGATE_ADMINS : [demo.email]
  const limits = openLimits(config, log, measureRefusals(metrics))
  steps.unshift({ name: 'limits', run: () => limits.close() })
  const sealing = createSealing(identity)
  const mailServer = mailServerOf(config, publicUrl)
  steps.unshift({ name: 'mail', run: () => mailServer?.close() })
  const execute = createExecute(
    implementations,
    operationDeps({
      stores,
      queue,
      queueDesk: queue,
      storage,
      archiveLinks,
      publicUrl,
      admins,
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
  )
  await ensureDemoAccount(identity, dataDir)
  const mailer = openMailer(config, publicUrl, log)
  steps.unshift({ name: 'mailer', run: () => mailer.close() })
  const webRoot = join(repositoryDir, 'apps/web/dist')
  const { app, health } = await buildGateway({
    publicUrl,
    identity,
    authenticator,
    apiCaller: inProcessApiCaller(execute, `${publicUrl}/v1/docs`, log),
    rest: {
      plugin: apiPlugin({
        execute,
        authenticator,
        idempotency: { store: stores.idempotency, sealing },
        badges: stores,
        publicUrl,
        allowAssertion: false,
        codspeed: { links: archiveLinks, storage, queue, stores, limits: limits.ofCalls },
        pushed: { storage, queue },
        scim: { stores, identity, limits: limits.ofCalls },
        live: { stores, watch: (listener) => watchBenchNews(database, listener) },
        ...(folder === undefined ? {} : { objectRoutes: objectRoutes(folder) }),
      }),
    },
    log,
    metrics,
    status: {
      store: statusStore(database),
      checks: { database: () => database.auth.query('SELECT 1') },
    },
    isTraced: tracing !== undefined,
    metricsToken: config.FLAMEGATE_METRICS_TOKEN,
    checks: { database: () => database.auth.query('SELECT 1'), queue: () => queue.check() },
    trustedProxies: config.FLAMEGATE_TRUSTED_PROXIES,
    clients: clientPolicy(config),
    accessTokenLifetimeSeconds: config.FLAMEGATE_ACCESS_TOKEN_SECONDS,
    limits: limits.ofCalls,
    // A person may type either; the public URL stays the one in links and metadata.
    allowedHosts: [new URL(localUrl).hostname],
    storageOrigins: await storageOriginsOf(config, plainStorage),
    webRoot: existsSync(webRoot) ? webRoot : undefined,
    docsRoot: join(repositoryDir, 'apps/docs/dist'),
    mailer,
    signIns: openSignIns(config),
    targetsAllowed: config.FLAMEGATE_TARGETS_ALLOWED,
    githubIssuer: config.FLAMEGATE_GITHUB_OIDC_ISSUER,
  })
  await app.listen({ host: config.FLAMEGATE_HOST, port })
  steps.unshift(
    { name: 'readiness', run: () => health.drain(config.FLAMEGATE_DRAIN_SECONDS * 1_000) },
    { name: 'server', run: () => app.close() },
  )

  await seedDemo({
    dataDir,
    demoDir: join(repositoryDir, 'demo'),
    url: localUrl,
    publicUrl,
    log,
    say,
  })
  const agentOf = await demoAgent(dataDir)
  stopping.throwIfAborted()
  if (agentOf !== undefined) {
    const agent = startAgentProcess(
      ['--group', 'default', '--workspace', agentOf.workspaceId, '--name', 'beside-the-platform'],
      {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        FLAMEGATE_URL: localUrl,
        FLAMEGATE_TOKEN: agentOf.token,
      },
      log,
    )
    steps.unshift({ name: 'agent', run: () => agent.stop() })
  }
  const mcpUrl = `${publicUrl}/mcp`
  await writeReadyFile(dataDir, {
    url: publicUrl,
    mcpUrl,
    apiUrl: `${publicUrl}/v1`,
    pid: process.pid,
    demo,
  })
  steps.unshift({ name: 'ready file', run: () => removeReadyFile(dataDir) })
  return { url: publicUrl, mcpUrl, demo }
}

/** The port itself, or a free one for 0. @throws CannotListen before anything was started */
function usablePort(settings: Pick<PlatformConfig, 'FLAMEGATE_HOST' | 'FLAMEGATE_PORT'>): Promise<number> {
  const { FLAMEGATE_HOST: host, FLAMEGATE_PORT: port } = settings
  return new Promise((done, fail) => {
    const probe = createTcpServer()
    probe.once('error', (error) => fail(cannotListen(error, settings)))
    probe.listen({ host, port, exclusive: true }, () => {
      const address = probe.address()
      probe.close(() => done(typeof address === 'object' && address !== null ? address.port : port))
    })
  })
}

/** A host as people can open it: the wildcard addresses are listened on, not visited. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
