import { percentileIn } from '@flamegate/live/histogram'
import { nsPerMs, systemClock } from '../clock.ts'
import type { Clock } from '../clock.ts'
import { Distribution } from '../distribution.ts'

export type TimerOutcome =
  | { success: true; resultSize?: number }
  | { success: false; error: unknown; resultSize?: number }

export interface OperationTimer {
  /** Counts the operation, once. @returns how long it took, in milliseconds */
  end: (outcome?: TimerOutcome) => number
}

/** Of the whole process, since the metrics began. */
export interface ResourceUsage {
  /** Of one processor: 100 is one that is busy all the time. */
  cpuPercent: number
  heapUsedBytes: number
  rssBytes: number
}

/** Milliseconds; null where nothing was counted. */
export interface ResponseTimes {
  average: number | null
  p50: number | null
  p95: number | null
  p99: number | null
}

export interface PerformanceReport {
  responseTime: ResponseTimes
  throughput: { requestsPerSecond: number; peakThroughput: number }
  /** 0 to 1. */
  errorRate: number
  resourceUsage: ResourceUsage
  operations: Record<string, OperationReport>
}

export interface OperationReport {
  count: number
  errors: number
  responseTime: ResponseTimes
  /** Of those results whose size was told; null where none was. */
  meanResultBytes: number | null
  /** How often each message was; of 20 messages at most. */
  errorsByMessage: { message: string; count: number }[]
}

/** All that was counted of an operation since the beginning. */
export interface OperationStanding {
  count: number
  totalMs: number
  /** Nanoseconds, in the slots of the live app. */
  durations: { slots: readonly number[]; counts: readonly number[] }
  errorsByMessage: ReadonlyMap<string, number>
}

const messagesMax = 20
const messageLengthMax = 300

/** Counts how long operations take, how many there are and which fail. Percentiles are known to 1.6 %. */
export class PerformanceMetrics {
  readonly #now: Clock
  readonly #startedAt: number
  readonly #cpuAtStart = process.cpuUsage()
  readonly #all = new OperationCounts()
  readonly #byName = new Map<string, OperationCounts>()
  #second = 0
  #inSecond = 0
  #peak = 0

  constructor(now: Clock = systemClock) {
    this.#now = now
    this.#startedAt = now()
  }

  startTimer(operation: string): OperationTimer {
    const from = this.#now()
    let durationMs: number | undefined
    return {
      end: (outcome = { success: true }) => (durationMs ??= this.#ended(operation, from, outcome)),
    }
  }

  /** Milliseconds. Null when nothing was counted, as in all that follows. */
  getAverageResponseTime(operation?: string): number | null {
    return this.#of(operation)?.average() ?? null
  }

  /** @param percent 50, 95, 99.9 … @returns milliseconds */
  getPercentile(percent: number, operation?: string): number | null {
    if (!(percent > 0 && percent <= 100)) throw new RangeError('A percentile is over 0 and at most 100.')
    return this.#of(operation)?.percentile(percent) ?? null
  }

  /** Operations per second since the beginning. */
  getThroughput(): number {
    const seconds = (this.#now() - this.#startedAt) / 1000
    return seconds > 0 ? this.#all.count / seconds : 0
  }

  /** Most operations that ended within one second of the clock. */
  getPeakThroughput(): number {
    return this.#peak
  }

  /** Failed operations of all, 0 to 1; 0 when there was none. */
  getErrorRate(operation?: string): number {
    const counts = this.#of(operation)
    return counts === undefined || counts.count === 0 ? 0 : counts.errors / counts.count
  }

  getResourceUsage(): ResourceUsage {
    const { user, system } = process.cpuUsage(this.#cpuAtStart)
    const elapsedUs = Math.max(1, (this.#now() - this.#startedAt) * 1000)
    const { heapUsed, rss } = process.memoryUsage()
    return {
      cpuPercent: (100 * (user + system)) / elapsedUs,
      heapUsedBytes: heapUsed,
      rssBytes: rss,
    }
  }

  /** Since the beginning, for who looks again and again. */
  getTotals(): { count: number; errors: number; totalMs: number } {
    return { count: this.#all.count, errors: this.#all.errors, totalMs: this.#all.totalMs() }
  }

  /** The same of each operation by its name. */
  standings(): Map<string, OperationStanding> {
    return new Map([...this.#byName].map(([name, counts]) => [name, counts.standing()]))
  }

  getReport(): PerformanceReport {
    return {
      responseTime: this.#all.responseTimes(),
      throughput: { requestsPerSecond: this.getThroughput(), peakThroughput: this.#peak },
      errorRate: this.getErrorRate(),
      resourceUsage: this.getResourceUsage(),
      operations: Object.fromEntries([...this.#byName].map(([name, counts]) => [name, counts.report()])),
    }
  }

  #of(operation: string | undefined): OperationCounts | undefined {
    return operation === undefined ? this.#all : this.#byName.get(operation)
  }

  #ended(operation: string, from: number, outcome: TimerOutcome): number {
    const at = this.#now()
    const durationMs = at - from
    let counts = this.#byName.get(operation)
    if (counts === undefined) this.#byName.set(operation, (counts = new OperationCounts()))
    this.#all.add(durationMs, outcome)
    counts.add(durationMs, outcome)
    const second = Math.floor((at - this.#startedAt) / 1000)
    this.#inSecond = second === this.#second ? this.#inSecond + 1 : 1
    this.#second = second
    this.#peak = Math.max(this.#peak, this.#inSecond)
    return durationMs
  }
}

/** Where the other parts find what happens: metrics, or a server that was instrumented. */
export type Monitored = PerformanceMetrics | { metrics: PerformanceMetrics }

export function metricsOf(monitored: Monitored): PerformanceMetrics {
  return 'metrics' in monitored ? monitored.metrics : monitored
}

class OperationCounts {
  count = 0
  errors = 0
  readonly #durations = new Distribution()
  readonly #messages = new Map<string, number>()
  #resultBytes = 0
  #sizedResults = 0

  add(durationMs: number, outcome: TimerOutcome): void {
    this.count++
    this.#durations.add(Math.round(durationMs * nsPerMs))
    if (outcome.resultSize !== undefined) {
      this.#resultBytes += outcome.resultSize
      this.#sizedResults++
    }
    if (outcome.success) return
    this.errors++
    const { error } = outcome
    const message = (error instanceof Error ? error.message : String(error)).slice(0, messageLengthMax)
    const before = this.#messages.get(message)
    if (before !== undefined || this.#messages.size < messagesMax)
      this.#messages.set(message, (before ?? 0) + 1)
  }

  standing(): OperationStanding {
    return {
      count: this.count,
      totalMs: this.totalMs(),
      durations: this.#durations.read().histogram ?? { slots: [], counts: [] },
      errorsByMessage: new Map(this.#messages),
    }
  }

  totalMs(): number {
    return this.#durations.total / nsPerMs
  }

  average(): number | null {
    return this.count === 0 ? null : this.totalMs() / this.count
  }

  percentile(percent: number): number | null {
    const { histogram } = this.#durations.read()
    const ns = histogram === undefined ? undefined : percentileIn(histogram, percent)
    return ns === undefined ? null : ns / nsPerMs
  }

  responseTimes(): ResponseTimes {
    return {
      average: this.average(),
      p50: this.percentile(50),
      p95: this.percentile(95),
      p99: this.percentile(99),
    }
  }

  report(): OperationReport {
    return {
      count: this.count,
      errors: this.errors,
      responseTime: this.responseTimes(),
      meanResultBytes: this.#sizedResults === 0 ? null : this.#resultBytes / this.#sizedResults,
      errorsByMessage: [...this.#messages].map(([message, count]) => ({ message, count })),
    }
  }
}
