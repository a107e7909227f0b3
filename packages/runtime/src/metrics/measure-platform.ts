import { statfs } from 'node:fs/promises'
import { Counter, Histogram, type Registry } from 'prom-client'
import { addPolledGauge, remembered } from './polled-gauge.ts'

/** What is asked when somebody scrapes; each part is a port of an adapter, in its shape. */
export interface MeasuredQueue {
  look(): Promise<
    readonly { queue: string; jobs: Readonly<Record<string, number>>; oldestWaitingMs: number }[]
  >
}

export interface MeasuredPool {
  pool: string
  sizeMax: number
  used: number
  idle: number
  waiting: number
}

export interface MeasuredBacklog {
  backlog: readonly { kind: string; count: number; oldestMs: number }[]
  sizeBytes: number
}

/** Counting what waits costs the database something, and several may scrape. */
const lookFreshForMs = 5_000
const backlogFreshForMs = 30_000

/** The job queue, of which every process that has it tells the same: take the largest. */
export function measureQueue(registry: Registry, queue: MeasuredQueue): void {
  const look = remembered(() => queue.look(), lookFreshForMs)
  addPolledGauge(registry, {
    name: 'flamegate_queue_jobs',
    help: 'Jobs of a queue by state.',
    labelNames: ['queue', 'state'],
    read: async () =>
      (await look()).flatMap(({ queue: name, jobs }) =>
        Object.entries(jobs).map(([state, value]) => ({ labels: { queue: name, state }, value })),
      ),
  })
  addPolledGauge(registry, {
    name: 'flamegate_queue_oldest_waiting_seconds',
    help: 'How long the job that is next has been waiting.',
    labelNames: ['queue'],
    read: async () =>
      (await look()).map(({ queue: name, oldestWaitingMs }) => ({
        labels: { queue: name },
        value: oldestWaitingMs / 1_000,
      })),
  })
}

/** Connections of this process to the database. */
export function measurePools(registry: Registry, pools: () => readonly MeasuredPool[]): void {
  addPolledGauge(registry, {
    name: 'flamegate_database_connections',
    help: 'Connections of a pool: used, idle, and the most that there may be (max).',
    labelNames: ['pool', 'state'],
    read: () =>
      pools().flatMap(({ pool, used, idle, sizeMax }) => [
        { labels: { pool, state: 'used' }, value: used },
        { labels: { pool, state: 'idle' }, value: idle },
        { labels: { pool, state: 'max' }, value: sizeMax },
      ]),
  })
  addPolledGauge(registry, {
    name: 'flamegate_database_waiting',
    help: 'Who waits for a connection of a pool.',
    labelNames: ['pool'],
    read: () => pools().map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
  })
}

/** What the database says is due, of which every process tells the same: take the largest. */
export function measureBacklog(registry: Registry, read: () => Promise<MeasuredBacklog>): void {
  const look = remembered(read, backlogFreshForMs)
  addPolledGauge(registry, {
    name: 'flamegate_backlog',
    help: 'What is due and not done: messages to send, runs to judge, schedules to start, profiles to remove.',
    labelNames: ['kind'],
    read: async () => (await look()).backlog.map(({ kind, count }) => ({ labels: { kind }, value: count })),
  })
  addPolledGauge(registry, {
    name: 'flamegate_backlog_oldest_seconds',
    help: 'How long the first of what is due has been due.',
    labelNames: ['kind'],
    read: async () =>
      (await look()).backlog.map(({ kind, oldestMs }) => ({ labels: { kind }, value: oldestMs / 1_000 })),
  })
  addPolledGauge(registry, {
    name: 'flamegate_database_size_bytes',
    help: 'Size of the database on its disk.',
    read: async () => [{ value: (await look()).sizeBytes }],
  })
}

/** The disk of the folder for uploads, where there is one. */
export function measureFolder(registry: Registry, dir: string): void {
  const look = remembered(() => statfs(dir), backlogFreshForMs)
  addPolledGauge(registry, {
    name: 'flamegate_storage_disk_free_bytes',
    help: 'What is free of the disk that uploads are on.',
    read: async () => [{ value: (await look()).bavail * (await look()).bsize }],
  })
  addPolledGauge(registry, {
    name: 'flamegate_storage_disk_size_bytes',
    help: 'Size of the disk that uploads are on.',
    read: async () => [{ value: (await look()).blocks * (await look()).bsize }],
  })
}

/** Requests to the object storage; what is given back is told of each. */
export function measureStorage(
  registry: Registry,
): (ended: { request: string; hasFailed: boolean; durationMs: number }) => void {
  const durations = new Histogram({
    name: 'flamegate_storage_request_duration_seconds',
    help: 'Time of a request to the object storage.',
    labelNames: ['request', 'outcome'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  })
  return ({ request, hasFailed, durationMs }) =>
    durations.observe({ request, outcome: hasFailed ? 'failed' : 'ok' }, durationMs / 1_000)
}

/** Calls that were refused because a limit was reached; what is given back is told of each. */
export function measureRefusals(registry: Registry): (limit: string) => void {
  const refusals = new Counter({
    name: 'flamegate_limit_refusals_total',
    help: 'Calls that were refused because a limit was reached.',
    labelNames: ['limit'],
    registers: [registry],
  })
  return (limit) => refusals.inc({ limit })
}
