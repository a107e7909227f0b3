import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import { hasRedis } from '../../../packages/queue/src/test-servers.ts'
import type { Person } from '../../system/person.ts'
import { waitFor } from '../load-faults/load-fleet.ts'
import { freePort } from '../../free-port.ts'
import { startProcess, startServer } from '../fleet/processes.ts'
import { readImageSettings } from '../topology/image-settings.ts'
import { hasNginx, startNginx, startOwnBalancing, type Balancing } from './balancing.ts'
import { clockSettings, findFaketime } from './clock.ts'
import { collect, collectingSettings } from './collected.ts'
import { startDatabase, type Database } from './database.ts'
import { startObjectStore, startRedis, type Dependency } from './dependencies.ts'
import { startLinks, type Links } from './links.ts'
import { Member } from './member.ts'
import type { Collected } from './memory.ts'

const root = join(import.meta.dirname, '../../..')
const cli = join(root, 'apps/cli/src/main.ts')
const logs = join(root, 'test-artifacts/service')

type LinkName = 'front' | 'database' | 'redis' | 'store'

/** The whole service as it is deployed: each part a process of its own, two of each that may be several. */
export interface Service {
  /** The public URL. */
  url: string
  /** Who balances. */
  balancer: string
  /** What is missing on this machine, and what that means. */
  skipped: string[]
  gateways: Member[]
  apis: Member[]
  workers: Member[]
  agents: Member[]
  database: Database
  redis: Dependency | undefined
  store: Dependency
  /** Only for faults. */
  links: Links<LinkName> | undefined
  /** Process ids by name, of what runs now. */
  pids(): Record<string, number>
  /** What is left of gateways, APIs and workers when their garbage is collected, by name. */
  collect(): Promise<Map<string, Collected>>
  /** As superuser, in our database. */
  adminUrl(): string
  startAgent(person: Person, name: string): Promise<void>
  /** Sets the clock of a member ahead, where libfaketime is installed. */
  setClock(member: Member, aheadSeconds: number): Promise<void>
  /** Replaces every process where it is by a new one, one after the other, as docs/operations/upgrade.md says: what balances stays as it is. */
  deploy(): Promise<void>
  stop(): Promise<void>
}

interface ServiceOptions {
  /** With proxies on all ways, a standby, a small disk, and clocks that can be set. */
  isForFaults: boolean
  /** Settings besides those that hold it together. */
  settings: Record<string, string>
}

export async function startService({ isForFaults, settings }: ServiceOptions): Promise<Service> {
  const skipped: string[] = []
  const undo: (() => Promise<unknown>)[] = []
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-service-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  await rm(logs, { recursive: true, force: true })
  await mkdir(logs, { recursive: true })
  const outputs = new Map<string, number>()
  const outputOf = (name: string) => {
    const known = outputs.get(name) ?? openSync(join(logs, `${name}.log`), 'a')
    outputs.set(name, known)
    return known
  }
  let stopping: Promise<void> | undefined
  // Once: what was broken off is stopped by its signal, and by whoever then fails; both wait for the same.
  const stop = () =>
    (stopping ??= (async () => {
      for (const step of undo.toReversed()) await step()
    })())
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(1)))

  try {
    const database = await startDatabase(folder, isForFaults)
    undo.push(() => database.stop())
    const redis = hasRedis() ? await startRedis(await freePort()) : undefined
    if (redis === undefined)
      skipped.push('Redis, because redis-server is not installed: jobs wait in PostgreSQL')
    undo.push(async () => redis?.kill())
    const storeFolder = join(folder, 'objects')
    await mkdir(storeFolder)
    const collectedFolder = join(folder, 'collected')
    await mkdir(collectedFolder)
    const store = await startObjectStore(storeFolder, outputOf('object-store'))
    undo.push(() => store.kill())

    // What balances has to know servers that come later, and these its port.
    const ports = {
      gateways: [await freePort(), await freePort()],
      apis: [await freePort(), await freePort()],
    }
    const hasProxy = hasNginx()
    if (!hasProxy) skipped.push('nginx, because it is not installed: a balancer of the tests is in its place')
    const balancing: Balancing = hasProxy
      ? await startNginx(join(folder, 'nginx'), ports, outputOf('nginx'))
      : await startOwnBalancing(ports)
    undo.push(() => balancing.stop())

    const links = isForFaults
      ? await startLinks<LinkName>({
          front: balancing.gatewaysPort,
          database: database.port,
          redis: redis?.port ?? 0,
          store: store.port,
        })
      : undefined
    undo.push(async () => links?.stop())
    const url = `http://127.0.0.1:${links?.ports.front ?? balancing.gatewaysPort}`
    const databaseUrl = (role: string) =>
      `postgres://flamegate_${role}:${role}@127.0.0.1:${links?.ports.database ?? database.port}/flamegate`
    const databaseUrls = {
      FLAMEGATE_DATABASE_APP_URL: databaseUrl('app'),
      FLAMEGATE_DATABASE_AUTH_URL: databaseUrl('auth'),
      FLAMEGATE_DATABASE_QUEUE_URL: databaseUrl('queue'),
    }
    const prepare = () =>
      runToEnd(
        startProcess(
          'apps/platform/src/prepare-database.ts',
          {
            ...databaseUrls,
            FLAMEGATE_DATABASE_ADMIN_URL: database.url('postgres'),
            FLAMEGATE_DATABASE_OWNER_URL: databaseUrl('owner'),
          },
          outputOf('prepare'),
        ),
      )
    await prepare()

    const image = readImageSettings(join(root, 'deploy/Dockerfile')).get('server')
    const common = {
      ...databaseUrls,
      ...(redis === undefined ? {} : { REDIS_URL: `redis://127.0.0.1:${links?.ports.redis ?? redis.port}` }),
      FLAMEGATE_PUBLIC_URL: url,
      FLAMEGATE_TRUSTED_PROXIES: '127.0.0.1',
      FLAMEGATE_LOG_LEVEL: 'warn',
      FLAMEGATE_TARGETS_ALLOWED: '127.0.0.1',
      S3_ENDPOINT: `http://127.0.0.1:${links?.ports.store ?? store.port}`,
      S3_BUCKET: store.server.bucket,
      S3_REGION: store.server.region,
      S3_ACCESS_KEY_ID: store.server.accessKeyId,
      S3_SECRET_ACCESS_KEY: store.server.secretAccessKey,
      S3_FORCE_PATH_STYLE: 'true',
      ...(process.env['NODE_COMPILE_CACHE'] === undefined
        ? {}
        : { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }),
      ...collectingSettings(collectedFolder, image?.env['NODE_OPTIONS'] ?? ''),
      ...settings,
    }
    const faketime = isForFaults ? findFaketime() : undefined
    const clockOf = (name: string) => join(folder, `${name}.clock`)
    const settingsOf = (name: string) => ({
      ...common,
      FLAMEGATE_API_URL: `http://127.0.0.1:${balancing.apisPort}`,
      ...(faketime === undefined ? {} : clockSettings(faketime, clockOf(name))),
    })
    const prepareClock = async (name: string) => {
      if (faketime !== undefined) await writeFile(clockOf(name), '+0')
    }
    const serverAt = (kind: 'gateway' | 'api', name: string, port: number) =>
      new Member(name, async () => {
        await prepareClock(name)
        const file = `apps/${kind}/src/main.ts`
        return (await startServer(file, settingsOf(name), port, outputOf(name))).child
      })
    const workerNamed = (name: string) =>
      new Member(name, async () => {
        await prepareClock(name)
        return startProcess('apps/worker/src/main.ts', settingsOf(name), outputOf(name))
      })

    const service: Service = {
      url,
      balancer: balancing.title,
      skipped,
      apis: ports.apis.map((port, index) => serverAt('api', `api ${index + 1}`, port)),
      gateways: ports.gateways.map((port, index) => serverAt('gateway', `gateway ${index + 1}`, port)),
      workers: ['worker 1', 'worker 2'].map(workerNamed),
      agents: [],
      database,
      redis,
      store,
      links,
      adminUrl: () => database.url('flamegate'),
      collect() {
        const ours = [...this.gateways, ...this.apis, ...this.workers]
        return collect(collectedFolder, Object.fromEntries(ours.map(({ name, pid }) => [name, pid])))
      },
      pids() {
        const ours = [...this.gateways, ...this.apis, ...this.workers, ...this.agents]
        return {
          ...Object.fromEntries(
            ours.filter(({ isRunning }) => isRunning).map(({ name, pid }) => [name, pid]),
          ),
          PostgreSQL: database.pid,
          ...(redis === undefined ? {} : { Redis: redis.pid }),
          ...(balancing.pid === undefined ? {} : { [balancing.title]: balancing.pid }),
        }
      },
      async startAgent(person, name) {
        const { client, workspaceId } = person
        const { token } = await client.call(operations.getAgentInstallCommand, { workspace_id: workspaceId })
        const args = [cli, 'agent', '--group', 'default', '--workspace', workspaceId, '--name', name]
        const agent = new Member(name, async () =>
          spawn(process.execPath, args, {
            env: { PATH: process.env['PATH'], FLAMEGATE_URL: url, FLAMEGATE_TOKEN: token },
            stdio: ['ignore', outputOf(name), outputOf(name)],
          }),
        )
        this.agents.push(agent)
        await agent.start()
        await waitFor(name, 180_000, async () => {
          const listed = await client.call(operations.listLoadGenerators, { workspace_id: workspaceId })
          return listed.load_generators.some((each) => each.name === name && each.is_online)
            ? true
            : undefined
        })
      },
      async setClock(member, aheadSeconds) {
        await writeFile(clockOf(member.name), `+${aheadSeconds}`)
      },
      async deploy() {
        await prepare()
        for (const member of [...this.apis, ...this.gateways, ...this.workers]) {
          // Answers until its time to drain is over; then what balances finds nobody there, and goes to the other one.
          await member.end('SIGTERM')
          await member.start()
        }
      },
      stop,
    }
    undo.push(() => {
      const ours = [...service.agents, ...service.gateways, ...service.apis, ...service.workers]
      return Promise.all(ours.map((member) => member.end('SIGTERM')))
    })
    await startAll(service.apis)
    await startAll([...service.gateways, ...service.workers])
    return service
  } catch (error) {
    await stop()
    throw error
  }
}

/** Waits for all of them, also when one does not start, so that all can be ended. */
async function startAll(members: readonly Member[]): Promise<void> {
  const started = await Promise.allSettled(members.map((member) => member.start()))
  for (const each of started)
    if (each.status === 'rejected') throw new Error('A process did not start', { cause: each.reason })
}

async function runToEnd(child: ChildProcess): Promise<void> {
  const [code]: unknown[] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The database was not prepared: see ${logs}`)
}
