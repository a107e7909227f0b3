import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startTestServer } from '@flamegate/db/test-server'
import { startBalancer } from './balancer.ts'
import { freePort } from '../../free-port.ts'
import { end, startProcess, startServer, type Server } from './processes.ts'

/** Several gateways behind one address, with one API, one worker and one PostgreSQL, each a process of its own. */
export interface Fleet {
  /** The address of the balancer: the public URL. */
  url: string
  /** Where each gateway listens by itself. */
  gatewayUrls: readonly string[]
  apiUrl: string
  /** Where the worker says how it does. */
  workerUrl: string
  /** Takes a gateway out, ends it as a deployment does, and puts a new process in its place. */
  restart(index: number): Promise<void>
  /** Kills a gateway with whatever it is doing, and puts a new process in its place. */
  crash(index: number): Promise<void>
  /** Kills the worker with whatever it is doing, and puts a new process in its place that much later. */
  crashWorker(awayMs: number): Promise<void>
  /** Where the database is, as whoever is above row-level security. */
  adminUrl: string
  restartPostgres(awayMs: number): Promise<void>
  stop(): Promise<void>
}

export interface FleetOptions {
  gateways: number
  /** Settings besides those that hold the fleet together. */
  settings?: Record<string, string>
}

export async function startFleet({ gateways, settings = {} }: FleetOptions): Promise<Fleet> {
  const postgres = await startTestServer()
  const urls = await postgres.createDatabase()
  const balancer = await startBalancer()
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-fleet-'))
  const common = {
    FLAMEGATE_PUBLIC_URL: balancer.url,
    FLAMEGATE_DATABASE_APP_URL: urls.appUrl,
    FLAMEGATE_DATABASE_AUTH_URL: urls.authUrl,
    FLAMEGATE_DATABASE_QUEUE_URL: urls.queueUrl,
    FLAMEGATE_STORAGE_DIR: folder,
    FLAMEGATE_LOG_LEVEL: 'error',
    FLAMEGATE_TRUSTED_PROXIES: '127.0.0.1',
    ...settings,
  }
  const api = await startServer('apps/api/src/main.ts', common, await freePort())
  const workerPort = await freePort()
  const startWorker = () =>
    startProcess('apps/worker/src/main.ts', { ...common, FLAMEGATE_PORT: String(workerPort) })
  let worker = startWorker()
  const startGateway = (port: number) =>
    startServer('apps/gateway/src/main.ts', { ...common, FLAMEGATE_API_URL: api.url }, port)
  const running: Server[] = []
  for (let index = 0; index < gateways; index += 1) running.push(await startGateway(await freePort()))
  for (const { url } of running) balancer.add(url)

  function at(index: number): Server {
    const server = running[index]
    if (!server) throw new RangeError(`There is no gateway ${index}`)
    return server
  }

  return {
    url: balancer.url,
    gatewayUrls: running.map(({ url }) => url),
    apiUrl: api.url,
    workerUrl: `http://127.0.0.1:${workerPort}`,
    async restart(index) {
      const server = at(index)
      balancer.remove(server.url)
      await end(server, 'SIGTERM')
      running[index] = await startGateway(server.port)
      balancer.add(server.url)
    },
    async crash(index) {
      const server = at(index)
      await end(server, 'SIGKILL')
      running[index] = await startGateway(server.port)
    },
    async crashWorker(awayMs) {
      await end({ child: worker }, 'SIGKILL')
      await pause(awayMs)
      worker = startWorker()
    },
    adminUrl: urls.adminUrl,
    restartPostgres: (awayMs) => postgres.restart(awayMs),
    async stop() {
      await Promise.all([...running, api, { child: worker }].map((server) => end(server, 'SIGTERM')))
      await balancer.close()
      await postgres.stop()
      await rm(folder, { recursive: true })
    },
  }
}
