import { actionCounters, slotOf, tickLimits, valueMax } from '@flamegate/series'
import type { ActionCounter, ActionTick, ErrorClass, Histogram } from '@flamegate/series'

const placeOf = new Map(actionCounters.map((name, place) => [name, place]))

/** What one action did in one second. */
export class SecondRecord {
  readonly #counters = new Float64Array(actionCounters.length)
  readonly #times = new Map<number, number>()

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

  toTick(action: number): ActionTick {
    const sorted = [...this.#times].toSorted(([a], [b]) => a - b)
    const times: Histogram = {
      slots: Uint16Array.from(sorted, ([slot]) => slot),
      counts: Float64Array.from(sorted, ([, count]) => count),
    }
    // Nobody was late: other tools tell of one time only.
    return { profile: 0, action, counters: this.#counters, serviceTime: times, responseTime: times }
  }
}

/** Whole ones, from 0 to what a histogram counts. */
export function microseconds(ms: number): number {
  return Math.min(valueMax, Math.max(0, Math.round(ms * 1000)))
}
