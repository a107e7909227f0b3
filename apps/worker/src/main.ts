import { createSealing, loadStorageKey, newTokenSecret, openMasterKeys } from '@flamegate/auth'
import {
  awaitMigrations,
  checkConnections,
  createStores,
  dueDeliveries,
  findExpiredMcpSessions,
  findExpiredProfiles,
  findExpiredValidations,
  findLiveAppsToJudge,
  findLiveAppsToSweep,
  findPastRetention,
  findDueSchedules,
  findExpiredPrints,
  findForgottenTasks,
  findOpenBenchRuns,
  findLeftResultFiles,
  findLeftSources,
  findUnjudgedRuns,
  findUnmadeFiles,
  findWaitingUploads,
  meterStorage,
  openDatabase,
  prepareAudit,
  purgeDeletedWorkspaces,
  statusStore,
  sweepExpired,
} from '@flamegate/db'
import {
  judgeLiveApps,
  removeFoundFiles,
  removeExpiredMcpSessions,
  removeExpiredProfiles,
  removeExpiredValidations,
  removeLeftSources,
  sweepLiveApps,
  sweepPastRetention,
} from '@flamegate/operations'
import { openQueue } from '@flamegate/queue'
import {
  addTraceHeaders,
  createLogger,
  createMetricsRegistry,
  githubApi,
  installShutdown,
  mailServerOf,
  measurePools,
  measureStorage,
  measureWork,
  orExit,
  postMail,
  postMessage,
  readConfig,
  startTracing,
  targetRules,
} from '@flamegate/runtime'
import { openStorage, toldStorage } from '@flamegate/storage'
import { componentHealth } from './component-health.ts'
import { openResultReader } from './bench-imports/result-reader.ts'
import { openReportPrinter } from './printing/report-printer.ts'
import { openSourceReader } from './sources/source-reader.ts'
import { openRequestLogFile } from './request-logs/request-log-file.ts'
import { openWatchedServer } from './watched-server.ts'
import { startWorker } from './start-worker.ts'
import { virtualUserRunner } from './virtual-user-runner.ts'
import { workerConfig } from './worker-config.ts'
import { workspaceArchives } from './workspace-archives/make-workspace-archive.ts'

// A worker as a process of its own. The platform starts it as a child: when that dies, however early, nobody else
// would stop us.
let whenOrphaned = (): void => process.exit(1)
process.once('disconnect', () => whenOrphaned())

/** More wait for the next look. */
const duePerLook = 100

/** No plan that has an end keeps anything for longer: a hundred years. */
const planHoursMax = 36_500 * 24

const config = await orExit(() => readConfig(workerConfig, process.env))
const log = createLogger({ level: config.FLAMEGATE_LOG_LEVEL, format: config.FLAMEGATE_LOG_FORMAT })
if (config.FLAMEGATE_KEY_PROVIDER === 'database' && config.FLAMEGATE_MASTER_KEYS !== undefined)
  log.warn(
    'FLAMEGATE_MASTER_KEYS only opens what it wrapped before: FLAMEGATE_KEY_PROVIDER is database, and new keys lie there as they are',
  )
const tracing = await startTracing(
  'flamegate-worker',
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
const { storage: plainStorage } = await orExit(async () =>
  openStorage(config, {
    baseUrl: config.FLAMEGATE_PUBLIC_URL,
    signingKey: await loadStorageKey(identity),
  }),
)
const registry = createMetricsRegistry()
measurePools(registry, () => database.pools())
const storage = toldStorage(plainStorage, measureStorage(registry))
const mailServer = mailServerOf(config, config.FLAMEGATE_PUBLIC_URL)
const limits = config.FLAMEGATE_RATE_LIMITS === 'off' ? undefined : { factor: config.FLAMEGATE_RATE_LIMITS }
const sweepLive = async (which: { all: boolean }) =>
  sweepLiveApps(await findLiveAppsToSweep(database, which), {
    stores,
    limits,
    keptForMs: (config.FLAMEGATE_LIVE_HOURS ?? planHoursMax) * 3_600_000,
  })
const workers = startWorker({
  queue,
  stores,
  storage,
  sealing: createSealing(identity),
  publicUrl: config.FLAMEGATE_PUBLIC_URL,
  postMessage: (url, message) =>
    postMessage(url, { ...message, allowLoopback: config.FLAMEGATE_WEBHOOKS_TO_LOOPBACK }),
  sendMail: (letter) => postMail(mailServer, letter),
  targets: targetRules(config.FLAMEGATE_TARGETS_ALLOWED),
  limits: config.FLAMEGATE_RATE_LIMITS === 'off' ? undefined : { factor: config.FLAMEGATE_RATE_LIMITS },
  sourceReader: openSourceReader(),
  resultReader: openResultReader(),
  requestLogFiles: openRequestLogFile,
  workspaceArchives: workspaceArchives({ database, storage }),
  printer: openReportPrinter({
    publicUrl: config.FLAMEGATE_PUBLIC_URL,
    internalUrl: config.FLAMEGATE_INTERNAL_URL ?? config.FLAMEGATE_PUBLIC_URL,
  }),
  newSecret: newTokenSecret,
  runner: virtualUserRunner,
  github: githubApi(config.FLAMEGATE_GITHUB_API_URL),
  concurrency: config.FLAMEGATE_WORKER_CONCURRENCY,
  sweep: () =>
    Promise.all([
      sweepExpired(database),
      purgeDeletedWorkspaces(database, (key) => storage.remove(key)),
      removeFoundFiles((options) => findExpiredPrints(database, options), { stores, storage }),
      removeFoundFiles((options) => findLeftResultFiles(database, options), { stores, storage }),
      removeExpiredMcpSessions((options) => findExpiredMcpSessions(database, options), { stores }),
      removeExpiredProfiles((options) => findExpiredProfiles(database, options), { stores, storage }),
      removeExpiredValidations((options) => findExpiredValidations(database, options), { stores, storage }),
      sweepPastRetention(
        (kind, { limit }) =>
          findPastRetention(database, kind, {
            limit,
            daysMax: kind === 'bench_results' ? config.FLAMEGATE_BENCH_RESULT_DAYS : null,
          }),
        { stores, storage },
      ),
      meterStorage(database),
      prepareAudit(database, { isDry: false }),
      removeLeftSources((options) => findLeftSources(database, options), { stores, storage }),
      sweepLive({ all: true }),
    ]),
  sweepLive: () => sweepLive({ all: false }),
  judgeLive: async () => judgeLiveApps(await findLiveAppsToJudge(database), { stores }),
  // Younger ones may just be on their way.
  findUnjudged: () => findUnjudgedRuns(database, { olderThanMs: 10_000 }),
  findForgotten: () => findForgottenTasks(database),
  findWaitingUploads: () => findWaitingUploads(database),
  findSchedules: () => findDueSchedules(database),
  findUnmadeFiles: () => findUnmadeFiles(database),
  findOpenRuns: () => findOpenBenchRuns(database),
  findDue: () => dueDeliveries(database, duePerLook),
  moreRoutines: [componentHealth({ queue, storage, status: statusStore(database) })],
  ...measureWork(registry),
  log,
})
const watched = await orExit(() =>
  openWatchedServer(config, {
    log,
    registry,
    checks: { database: () => database.auth.query('SELECT 1'), queue: () => queue.check() },
  }),
)
const shutdown = installShutdown({
  log,
  steps: [
    { name: 'workers', run: () => workers.close({ deadlineMs: 10_000 }) },
    { name: 'server', run: () => watched?.close() },
    { name: 'mail', run: () => mailServer?.close() },
    { name: 'queue', run: () => queue.close() },
    { name: 'stores', run: () => data.close() },
    { name: 'database', run: () => database.close() },
    { name: 'tracing', run: () => tracing?.stop() },
  ],
})
log.info({ concurrency: config.FLAMEGATE_WORKER_CONCURRENCY }, 'taking jobs')
whenOrphaned = () => void shutdown.stop('the platform is gone')
