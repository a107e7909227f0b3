import { slotOf, valueMax } from './slots.ts'
import { tickLimits } from './tick-limits.ts'
import { actionCounters } from './tick.ts'
import type { ActionCounter, ActionTick, ErrorClass, Histogram } from './tick.ts'

const placeOf = new Map(actionCounters.map((name, place) => [name, place]))
const statusCounters = ['status_1xx', 'status_2xx', 'status_3xx', 'status_4xx', 'status_5xx'] as const

/** One request as another tool timed it. Times in milliseconds; 0 where it does not tell. */
export interface TimedRequest {
  elapsedMs: number
  dnsMs: number
  connectMs: number
  tlsMs: number
  waitMs: number
  downloadMs: number
  sentBytes: number
  receivedBytes: number
  /** Of HTTP; 0: none, or none that is known. */
  status: number
  failure: { class: ErrorClass } | null
}

/** What one action did in one second, as other tools tell it. */
export class SecondRecord {
  readonly #counters = new Float64Array(actionCounters.length)
  readonly #times = new Map<number, number>()

  add(request: TimedRequest): void {
    const { status, failure } = request
    this.count('count')
    this.time(microseconds(request.elapsedMs))
    if (status >= 100 && status < 600)
      this.count(statusCounters[Math.floor(status / 100) - 1] ?? 'status_2xx')
    if (failure !== null) this.countError(failure.class)
    this.count('sent_bytes', Math.round(request.sentBytes))
    this.count('received_bytes', Math.round(request.receivedBytes))
    if (request.connectMs > 0) this.count('connections_opened')
    this.count('dns_us', microseconds(request.dnsMs))
    this.count('connect_us', microseconds(request.connectMs))
    this.count('tls_us', microseconds(request.tlsMs))
    this.count('wait_us', microseconds(request.waitMs))
    this.count('download_us', microseconds(request.downloadMs))
  }

  count(name: ActionCounter, by = 1): void {
    const place = placeOf.get(name) ?? 0
    // Sums are as exact as a tick can hold them; files may say anything.
    this.#counters[place] = Math.min(tickLimits.counter, (this.#counters[place] ?? 0) + by)
  }

  countError(name: ErrorClass, by = 1): void {
    this.count(`error_${name}`, by)
  }

  time(elapsedUs: number, by = 1): void {
    const slot = slotOf(elapsedUs)
    this.#times.set(slot, Math.min(tickLimits.counter, (this.#times.get(slot) ?? 0) + by))
  }

  toTick(action: number, profile = 0): ActionTick {
    const sorted = [...this.#times].toSorted(([a], [b]) => a - b)
    const times: Histogram = {
      slots: Uint16Array.from(sorted, ([slot]) => slot),
      counts: Float64Array.from(sorted, ([, count]) => count),
    }
    // Nobody was late: other tools tell of one time only.
    return { profile, action, counters: this.#counters, serviceTime: times, responseTime: times }
  }
}

/** Whole ones, from 0 to what a histogram counts. */
export function microseconds(ms: number): number {
  return Math.min(valueMax, Math.max(0, Math.round(ms * 1000)))
}
