import { getHeapStatistics } from 'node:v8'
import { systemClock } from '../clock.ts'
import type { Clock } from '../clock.ts'
import { AlertStates, sendAlert } from './alerts.ts'
import type { AlertWebhook, PerformanceAlert } from './alerts.ts'
import { metricsOf } from './performance-metrics.ts'
import type { Monitored, PerformanceMetrics } from './performance-metrics.ts'

export type MonitoredMetric = 'cpu' | 'memory' | 'responseTime' | 'throughput'

export interface AlertThresholds {
  /** Percent of a processor. Default 80. */
  cpu?: number
  /** Percent of what the heap may grow to. Default 85. */
  memory?: number
  /** Milliseconds, of the mean between two looks. Default 1000. */
  responseTime?: number
  /** 0 to 1, between two looks. Default 0.05. */
  errorRate?: number
}

export interface MonitorOptions {
  /** What is looked at. Default: all. Error rates belong to the throughput. */
  metrics?: readonly MonitoredMetric[]
  alertThresholds?: AlertThresholds
  /** Between two looks. Default 5 s. */
  intervalMs?: number
  /** Hears each alert when it begins, and again when it is over. */
  onAlert?: (alert: PerformanceAlert) => void
  /** Gets each alert as JSON; with a secret signed as Standard Webhooks 1.0 says. Tried three times. */
  webhook?: AlertWebhook
  /** Hears why a webhook could not be told, or what `onAlert` threw. Default: a warning of the process. */
  onError?: (error: Error) => void
}

/** What one look found; null where nothing happened since the last, or it is not looked at. */
export interface MonitorReading {
  at: string
  cpuPercent: number | null
  memoryPercent: number | null
  responseTimeMs: number | null
  requestsPerSecond: number | null
  errorRate: number | null
}

/** Looks at a program again and again, and says when it is too slow, too busy, too large or fails too often. */
export class PerformanceMonitor {
  readonly #now: Clock
  readonly #alerts = new AlertStates()
  #timer: NodeJS.Timeout | undefined
  #latest: MonitorReading | undefined

  constructor(now: Clock = systemClock) {
    this.#now = now
  }

  /** Begins; a monitor that runs begins anew. Keeps no program alive. */
  start(monitored: Monitored, options: MonitorOptions = {}): void {
    this.stop()
    this.#alerts.forget()
    const metrics = metricsOf(monitored)
    let before = this.#standing(metrics)
    const look = () => {
      const standing = this.#standing(metrics)
      this.#latest = readingOf(before, standing, options.metrics)
      before = standing
      this.#judge(this.#latest, options)
    }
    this.#timer = setInterval(look, options.intervalMs ?? 5000).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** What the last look found; undefined before the first. */
  latest(): MonitorReading | undefined {
    return this.#latest
  }

  #standing(metrics: PerformanceMetrics): Standing {
    const { user, system } = process.cpuUsage()
    return { atMs: this.#now(), cpuMs: (user + system) / 1000, ...metrics.getTotals() }
  }

  #judge(reading: MonitorReading, options: MonitorOptions): void {
    const { cpu = 80, memory = 85, responseTime = 1000, errorRate = 0.05 } = options.alertThresholds ?? {}
    const alerts = this.#alerts.judge(reading.at, [
      {
        type: 'high_cpu',
        value: reading.cpuPercent,
        threshold: cpu,
        words: (value) => `${value.toFixed(0)} % of a processor`,
      },
      {
        type: 'high_memory',
        value: reading.memoryPercent,
        threshold: memory,
        words: (value) => `${value.toFixed(0)} % of the heap's limit`,
      },
      {
        type: 'slow_response',
        value: reading.responseTimeMs,
        threshold: responseTime,
        words: (value) => `${value.toFixed(1)} ms on average`,
      },
      {
        type: 'high_error_rate',
        value: reading.errorRate,
        threshold: errorRate,
        words: (value) => `${(100 * value).toFixed(1)} % of the operations failed`,
      },
    ])
    for (const alert of alerts) tell(alert, options)
  }
}

interface Standing {
  atMs: number
  cpuMs: number
  count: number
  errors: number
  totalMs: number
}

function readingOf(
  before: Standing,
  last: Standing,
  wanted: readonly MonitoredMetric[] = ['cpu', 'memory', 'responseTime', 'throughput'],
): MonitorReading {
  const elapsedMs = Math.max(1, last.atMs - before.atMs)
  const count = last.count - before.count
  const of = <T>(metric: MonitoredMetric, value: T) => (wanted.includes(metric) ? value : null)
  return {
    at: new Date().toISOString(),
    cpuPercent: of('cpu', (100 * (last.cpuMs - before.cpuMs)) / elapsedMs),
    memoryPercent: of('memory', (100 * process.memoryUsage().heapUsed) / getHeapStatistics().heap_size_limit),
    responseTimeMs: of('responseTime', count === 0 ? null : (last.totalMs - before.totalMs) / count),
    requestsPerSecond: of('throughput', (1000 * count) / elapsedMs),
    errorRate: of('throughput', count === 0 ? null : (last.errors - before.errors) / count),
  }
}

function tell(alert: PerformanceAlert, { onAlert, webhook, onError = warn }: MonitorOptions): void {
  try {
    onAlert?.(alert)
  } catch (error) {
    onError(error instanceof Error ? error : new Error(String(error)))
  }
  if (webhook !== undefined)
    sendAlert(webhook, alert).catch((error: unknown) =>
      onError(new Error(`The webhook was not told of ${alert.type}.`, { cause: error })),
    )
}

function warn(error: Error): void {
  process.emitWarning(error)
}
