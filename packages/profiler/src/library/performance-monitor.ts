import { createHmac, randomUUID } from 'node:crypto'
import { getHeapStatistics } from 'node:v8'
import { systemClock } from '../clock.ts'
import type { Clock } from '../clock.ts'
import type { PerformanceMetrics } from './performance-metrics.ts'

export type AlertType = 'high_cpu' | 'high_memory' | 'slow_response' | 'high_error_rate'

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
  webhook?: { url: string; secret?: string }
  /** Hears why a webhook could not be told, or what `onAlert` threw. Default: a warning of the process. */
  onError?: (error: Error) => void
}

export interface PerformanceAlert {
  type: AlertType
  state: 'open' | 'closed'
  /** As it was found: percent, milliseconds or a share. */
  value: number
  threshold: number
  /** UTC, ISO 8601. */
  at: string
  message: string
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

/** Where the monitor finds what happens: its own metrics, or a server that they were given of. */
export type Monitored = PerformanceMetrics | { metrics: PerformanceMetrics }

const attempts = 3
const retryMs = 1000
const requestMs = 10_000

/** Looks at a program again and again, and says when it is too slow, too busy, too large or fails too often. */
export class PerformanceMonitor {
  readonly #now: Clock
  readonly #open = new Set<AlertType>()
  #timer: NodeJS.Timeout | undefined
  #latest: MonitorReading | undefined

  constructor(now: Clock = systemClock) {
    this.#now = now
  }

  /** Begins; a monitor that runs begins anew. Keeps no program alive. */
  start(monitored: Monitored, options: MonitorOptions = {}): void {
    this.stop()
    this.#open.clear()
    const metrics = 'metrics' in monitored ? monitored.metrics : monitored
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
    const judged: [AlertType, number | null, number, (value: number) => string][] = [
      ['high_cpu', reading.cpuPercent, cpu, (value) => `${value.toFixed(0)} % of a processor`],
      ['high_memory', reading.memoryPercent, memory, (value) => `${value.toFixed(0)} % of the heap's limit`],
      ['slow_response', reading.responseTimeMs, responseTime, (value) => `${value.toFixed(1)} ms on average`],
      [
        'high_error_rate',
        reading.errorRate,
        errorRate,
        (value) => `${(100 * value).toFixed(1)} % of the operations failed`,
      ],
    ]
    for (const [type, value, threshold, words] of judged) {
      // Of nothing that happened, nothing is known: what is open stays open.
      if (value === null || value > threshold === this.#open.has(type)) continue
      const state = value > threshold ? 'open' : 'closed'
      if (state === 'open') this.#open.add(type)
      else this.#open.delete(type)
      tell({ type, state, value, threshold, at: reading.at, message: words(value) }, options)
    }
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
    send(webhook, alert).catch((error: unknown) =>
      onError(new Error(`The webhook was not told of ${alert.type}.`, { cause: error })),
    )
}

async function send(
  { url, secret }: { url: string; secret?: string },
  alert: PerformanceAlert,
): Promise<void> {
  const body = JSON.stringify(alert)
  const id = `msg_${randomUUID()}`
  for (let attempt = 1; ; attempt++) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signature(id, body, secret) },
        body,
        signal: AbortSignal.timeout(requestMs),
      })
      if (response.ok) return
      throw new Error(`It answered ${response.status}.`)
    } catch (error) {
      if (attempt === attempts) throw error
      // oxlint-disable-next-line no-await-in-loop -- it may be back then
      await new Promise((resolve) => setTimeout(resolve, retryMs * attempt).unref())
    }
  }
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, as the platform signs its own. */
function signature(id: string, body: string, secret: string | undefined): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const facts = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (secret === undefined) return facts
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { ...facts, 'webhook-signature': `v1,${hmac}` }
}

function warn(error: Error): void {
  process.emitWarning(error)
}
