import { setTimeout as pause } from 'node:timers/promises'
import { findFaketime } from './clock.ts'
import { whyNoDisk } from './database.ts'
import type { Service } from './service.ts'

/** What is done to the service, and what is promised of it. */
export interface Fault {
  name: string
  title: string
  /** Besides what is promised of every fault. */
  promise: string
  /** Resolves when what was broken is whole again. */
  inflict(service: Service): Promise<void>
  recoversWithinMs: number
  /** Whether calls may fail meanwhile; false: each is answered. */
  callsMayFail: boolean
  /** Whether the load test under way must get to its end as if nothing had been; else it may end with a reason. */
  loadTestFinishes: boolean
  /** Why it cannot be done here. */
  skipped?(service: Service): string | undefined
}

const awayMs = 5_000

function first<T>(list: readonly T[]): T {
  const [one] = list
  if (one === undefined) throw new RangeError('There is none')
  return one
}

const gateway: Fault = {
  name: 'gateway',
  title: 'kill -9 of a gateway',
  promise: 'Calls that it had are cut off; the other one answers all that come.',
  inflict: ({ gateways }) => first(gateways).crash(awayMs),
  recoversWithinMs: 5_000,
  callsMayFail: true,
  loadTestFinishes: true,
}

const api: Fault = {
  name: 'api',
  title: 'kill -9 of an API',
  promise: 'Calls that it had are answered as unavailable; the other one answers all that come.',
  inflict: ({ apis }) => first(apis).crash(awayMs),
  recoversWithinMs: 5_000,
  callsMayFail: true,
  loadTestFinishes: true,
}

const worker: Fault = {
  name: 'worker',
  title: 'kill -9 of a worker',
  promise: 'No call fails; the other one does its jobs.',
  inflict: ({ workers }) => first(workers).crash(awayMs),
  recoversWithinMs: 5_000,
  callsMayFail: false,
  loadTestFinishes: true,
}

const agent: Fault = {
  name: 'agent',
  title: 'kill -9 of an agent of load',
  promise: 'No call fails; the load test goes on with the other agent.',
  inflict: ({ agents }) => first(agents).crash(awayMs),
  recoversWithinMs: 5_000,
  callsMayFail: false,
  loadTestFinishes: true,
}

const postgres: Fault = {
  name: 'postgres',
  title: 'PostgreSQL is restarted',
  promise: 'Calls fail while it is away, and are answered within 20 s after.',
  inflict: ({ database }) => database.restart(awayMs),
  recoversWithinMs: 20_000,
  callsMayFail: true,
  loadTestFinishes: true,
}

const redis: Fault = {
  name: 'redis',
  title: 'Redis is killed, and comes back empty',
  promise: 'Jobs that it lost are queued again within two minutes.',
  async inflict({ redis: server }) {
    await server?.kill()
    await pause(awayMs)
    await server?.start()
  },
  recoversWithinMs: 20_000,
  callsMayFail: true,
  loadTestFinishes: true,
  skipped: ({ redis: server }) => (server === undefined ? 'redis-server is not installed' : undefined),
}

const objects: Fault = {
  name: 'objects',
  title: 'The object store is down',
  promise: 'Uploads wait; all else is answered.',
  async inflict({ store, links }) {
    await store.kill()
    await pause(2 * awayMs)
    links?.change('store', { targetPort: await store.start() })
  },
  recoversWithinMs: 20_000,
  callsMayFail: true,
  loadTestFinishes: true,
}

const disk: Fault = {
  name: 'disk',
  title: 'The disk of PostgreSQL is full',
  promise: 'Writes are refused until there is room.',
  inflict: ({ database }) => database.fillDisk(3 * awayMs),
  recoversWithinMs: 20_000,
  callsMayFail: true,
  loadTestFinishes: false,
  skipped: whyNoDisk,
}

const clock: Fault = {
  name: 'clock',
  title: 'The clock of a gateway, then of an API, then of a worker jumps an hour ahead, and back',
  promise: 'Calls that it has may be refused until its clock is right; nobody is logged out.',
  async inflict(service) {
    for (const list of [service.gateways, service.apis, service.workers]) {
      await service.setClock(first(list), 3_600)
      await pause(2 * awayMs)
      await service.setClock(first(list), 0)
      // Looked at once a second.
      await pause(2_000)
    }
  },
  recoversWithinMs: 20_000,
  callsMayFail: true,
  loadTestFinishes: false,
  skipped: () => (findFaketime() === undefined ? 'libfaketime is not installed' : undefined),
}

const network: Fault = {
  name: 'network',
  title: 'Every way is slow (25 ms for each piece of data) and loses connections (one of 300 pieces)',
  promise: 'Calls that are cut off work when they are tried again.',
  async inflict({ links }) {
    const names = ['front', 'database', 'redis', 'store'] as const
    for (const name of names) links?.change(name, { delayMs: 25, dropShare: 1 / 300 })
    await pause(4 * awayMs)
    for (const name of names) links?.change(name, { delayMs: 0, dropShare: 0 })
  },
  recoversWithinMs: 20_000,
  callsMayFail: true,
  loadTestFinishes: false,
}

const deploy: Fault = {
  name: 'deploy',
  title: 'A new version is rolled out: the database prepared, then each process replaced',
  promise: 'No call fails.',
  inflict: (service) => service.deploy(),
  recoversWithinMs: 5_000,
  callsMayFail: false,
  loadTestFinishes: true,
}

const failover: Fault = {
  name: 'failover',
  title: 'The primary of PostgreSQL is killed, and its synchronous standby takes over',
  promise: 'Calls fail until it has, and are answered within 20 s after.',
  async inflict({ database, links }) {
    links?.change('database', { targetPort: await database.failOver() })
  },
  recoversWithinMs: 20_000,
  callsMayFail: true,
  loadTestFinishes: false,
}

/** What is planned comes first. The last one leaves a database without a standby, and on another disk. */
export const faults: readonly Fault[] = [
  deploy,
  gateway,
  api,
  worker,
  agent,
  postgres,
  redis,
  objects,
  disk,
  clock,
  network,
  failover,
]
