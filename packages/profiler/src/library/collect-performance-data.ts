import { histogramBetween, percentileIn } from '@flamegate/live/histogram'
import { highestOf, lowestOf } from '@flamegate/live/slots'
import { Session } from 'node:inspector'
import type { Profiler } from 'node:inspector'
import { PerformanceObserver, performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { retainedByFunction } from '../allocations.ts'
import { nsPerMs } from '../clock.ts'
import { Distribution } from '../distribution.ts'
import { CPUProfiler } from './cpu-profiler.ts'
import { hotFunctions } from './hot-functions.ts'
import type { CollectedOperation, PerformanceData } from './performance-data.ts'
import type { OperationStanding, PerformanceMetrics } from './performance-metrics.ts'

export interface CollectOptions {
  /** Milliseconds. Default 10 s. */
  duration?: number
  /**
   * For which share of the time stacks are sampled, 0 to 1, in twenty pieces. Calls are counted all the time, because that costs next to
   * nothing. Default 1.
   */
  samplingRate?: number
}

/** So often resources are looked at. */
const resourceSamples = 20
/** And the heap, after the first time: as many as make a finding sure. */
const heapSamples = 5
/** To begin to sample stacks takes tens of milliseconds in a large program. */
const stackPieces = 4
const sampledEveryBytes = 128 * 1024
const functionsMax = 50
const tickMs = 10

/** Watches this program for a time, while others use it. */
export async function collectPerformanceData(
  metrics: PerformanceMetrics,
  { duration = 10_000, samplingRate = 1 }: CollectOptions,
): Promise<PerformanceData> {
  if (!(duration > 0)) throw new RangeError('duration has to be more than 0 ms.')
  if (!(samplingRate >= 0 && samplingRate <= 1)) throw new RangeError('samplingRate has to be from 0 to 1.')
  const startedAt = new Date().toISOString()
  const before = metrics.standings()
  const delay = new DelayWatch()
  const heap = new HeapWatch(delay)
  const from = performance.now()
  const [profiles, resources] = await Promise.all([
    sampleStacks(from, duration, { samplingRate, delay }),
    sampleResources(from, duration),
    heap.sample(from, duration),
  ])
  const durationMs = performance.now() - from
  delay.stop()
  return {
    startedAt,
    durationMs,
    operations: operationsBetween(before, metrics.standings()),
    resources,
    ...(await heap.end()),
    eventLoopDelay: delay.read(),
    hotFunctions: hotFunctions(profiles, heap.tookMs()),
  }
}

/** Moments that part a time evenly; the last is its end. */
async function* momentsOf(from: number, duration: number, count: number): AsyncGenerator<number> {
  for (let moment = 1; moment <= count; moment++) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await pause(Math.max(0, from + (duration * moment) / count - performance.now()))
    yield performance.now()
  }
}

async function sampleStacks(
  from: number,
  duration: number,
  { samplingRate, delay }: { samplingRate: number; delay: DelayWatch },
): Promise<Profiler.Profile[]> {
  const profiles: Profiler.Profile[] = []
  if (samplingRate === 0) return profiles
  const profiler = new CPUProfiler()
  for (let piece = 0; piece < stackPieces; piece++) {
    const endsAt = from + (duration * (piece + samplingRate)) / stackPieces
    const running = delay.without(() => profiler.startProfile('performance data'))
    // oxlint-disable-next-line no-await-in-loop -- one piece after the other
    await pause(Math.max(0, endsAt - performance.now()))
    profiles.push(delay.without(() => running.end()).profile)
    const nextAt = from + (duration * (piece + 1)) / stackPieces
    // oxlint-disable-next-line no-await-in-loop -- as above
    await pause(Math.max(0, nextAt - performance.now()))
  }
  return profiles
}

async function sampleResources(from: number, duration: number): Promise<PerformanceData['resources']> {
  const resources: PerformanceData['resources'] = []
  let before = { cpu: process.cpuUsage(), at: from }
  for await (const at of momentsOf(from, duration, resourceSamples)) {
    const { user, system } = process.cpuUsage(before.cpu)
    resources.push({
      atMs: at - from,
      cpuPercent: (user + system) / 10 / Math.max(1, at - before.at),
      rssBytes: process.memoryUsage.rss(),
    })
    before = { cpu: process.cpuUsage(), at }
  }
  return resources
}

/** The heap and its collections, without those that looking at it makes. */
class HeapWatch {
  readonly #delay: DelayWatch
  readonly #session = new Session()
  readonly #samples: PerformanceData['heap'] = []
  readonly #collections: { at: number; durationMs: number }[] = []
  readonly #ours: { from: number; to: number }[] = []
  readonly #notes = new Set<string>()
  readonly #observer = new PerformanceObserver((list) => this.#add(list.getEntries()))
  #kept: PerformanceData['growth'] = []

  constructor(delay: DelayWatch) {
    this.#delay = delay
    this.#session.connect()
    this.#observer.observe({ entryTypes: ['gc'] })
    this.#session.post('HeapProfiler.startSampling', { samplingInterval: sampledEveryBytes }, (error) => {
      if (error !== null) this.#notes.add(`The heap was not looked at: ${error.message}`)
    })
  }

  async sample(from: number, duration: number): Promise<void> {
    this.#look(0)
    for await (const at of momentsOf(from, duration, heapSamples)) this.#look(at - from)
  }

  tookMs(): number {
    return this.#ours.reduce((total, { from, to }) => total + to - from, 0)
  }

  async end(): Promise<Pick<PerformanceData, 'heap' | 'gc' | 'growth' | 'notes'>> {
    this.#session.disconnect()
    // Collections are told a little later.
    await pause(1)
    this.#add(this.#observer.takeRecords())
    this.#observer.disconnect()
    const own = this.#collections.filter(
      ({ at }) => !this.#ours.some(({ from, to }) => at >= from && at <= to),
    )
    return {
      heap: this.#samples,
      gc: {
        count: own.length,
        totalMs: own.reduce((total, { durationMs }) => total + durationMs, 0),
        maxMs: own.reduce((longest, { durationMs }) => Math.max(longest, durationMs), 0),
      },
      growth: this.#kept,
      notes: [...this.#notes],
    }
  }

  /** To tell what is kept, V8 collects all garbage first. */
  #look(atMs: number): void {
    const began = performance.now()
    this.#delay.without(() =>
      this.#session.post('HeapProfiler.getSamplingProfile', (error, found) => {
        if (error !== null) return
        this.#samples.push({ atMs, heapUsedBytes: process.memoryUsage().heapUsed })
        this.#kept = retainedByFunction(found.profile.head)
          .toSorted((a, b) => b.bytes - a.bytes)
          .slice(0, functionsMax)
          .map(({ name, file, line, bytes }) => ({
            name,
            place: file === '' ? '' : `${file}:${line}`,
            bytes,
          }))
      }),
    )
    this.#ours.push({ from: began, to: performance.now() })
  }

  #add(entries: readonly { startTime: number; duration: number }[]): void {
    for (const { startTime, duration } of entries)
      this.#collections.push({ at: startTime, durationMs: duration })
  }
}

/** How late timers are. Node's own histogram cannot leave out what this work holds up. */
class DelayWatch {
  readonly #delays = new Distribution()
  readonly #timer = setInterval(() => this.#tick(), tickMs).unref()
  #due = performance.now() + tickMs

  /** Does what holds up the event loop, and is not the program's. */
  without<T>(work: () => T): T {
    this.#tick()
    const done = work()
    this.#timer.refresh()
    this.#due = performance.now() + tickMs
    return done
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  read(): PerformanceData['eventLoopDelay'] {
    const { count, total, max = 0, histogram } = this.#delays.read()
    const p99 = histogram === undefined ? undefined : percentileIn(histogram, 99)
    return {
      meanMs: count === 0 ? 0 : total / count / nsPerMs,
      p99Ms: (p99 ?? 0) / nsPerMs,
      maxMs: max / nsPerMs,
    }
  }

  #tick(): void {
    const at = performance.now()
    this.#delays.add(Math.round(Math.max(0, at - this.#due) * nsPerMs))
    this.#due = at + tickMs
  }
}

function operationsBetween(
  before: ReadonlyMap<string, OperationStanding>,
  after: ReadonlyMap<string, OperationStanding>,
): CollectedOperation[] {
  return [...after].flatMap(([name, last]) => {
    const first = before.get(name)
    const calls = last.count - (first?.count ?? 0)
    if (calls === 0) return []
    const { slots, counts } = histogramBetween(first?.durations ?? { slots: [], counts: [] }, last.durations)
    const failures = [...last.errorsByMessage].flatMap(([message, count]) => {
      const more = count - (first?.errorsByMessage.get(message) ?? 0)
      return more > 0 ? [{ message, count: more }] : []
    })
    const durations = slots.map((slot, index) => ({
      ms: (lowestOf(slot) + highestOf(slot)) / 2 / nsPerMs,
      count: counts[index] ?? 0,
    }))
    return [{ name, calls, failures, durations }]
  })
}
