import { counterMatcher, countersMax } from '@flamegate/loadtest'
import type { Reading } from './reading.ts'

/** A counter as it is kept. */
export interface Kept {
  name: string
  unit: string
  /** Null: it only rises, and was seen once. */
  value: number | null
}

/** Makes of what only rises what was added per second since the last time that it was read. */
export class Rates {
  #before = new Map<string, { value: number; atMs: number }>()

  /** @param atMs by a clock that only goes on */
  of(readings: readonly Reading[], atMs: number): Kept[] {
    const before = this.#before
    this.#before = new Map()
    return readings.map(({ name, unit, kind, value }) => {
      if (kind === 'gauge') return { name, unit, value }
      this.#before.set(name, { value, atMs })
      const last = before.get(name)
      if (last === undefined || atMs <= last.atMs) return { name, unit, value: null }
      // What is less than before was begun anew, and has counted so many since: as Prometheus's rate() has it.
      const added = value < last.value ? value : value - last.value
      return { name, unit, value: (added * 1000) / (atMs - last.atMs) }
    })
  }
}

/** Of all readings those that a monitor keeps: the first ones that fit, and always the same. */
export class Choice {
  readonly #isMeant: (reading: Reading) => boolean
  readonly #names = new Set<string>()
  /** Whether more fit than can be kept. */
  isFull = false

  /** @param patterns of names, with `*`; empty: the usual ones */
  constructor(patterns: readonly string[]) {
    const isNamed = counterMatcher(patterns)
    this.#isMeant = patterns.length === 0 ? ({ isUsual }) => isUsual : ({ name }) => isNamed(name)
  }

  of(readings: readonly Reading[]): Reading[] {
    return readings.filter((reading) => {
      if (this.#names.has(reading.name)) return true
      if (!this.#isMeant(reading)) return false
      this.isFull ||= this.#names.size >= countersMax
      if (!this.isFull) this.#names.add(reading.name)
      return !this.isFull
    })
  }
}
