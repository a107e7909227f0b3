import type { LiveItem } from '@flamegate/live'
import type { Clock } from './clock.ts'
import { NumberLog } from './log.ts'
import type { LogColumns } from './log.ts'

/** A number that stands as it stands. */
export class Gauge {
  readonly id: string
  readonly #name: string
  readonly #now: Clock
  readonly #log: NumberLog
  #value = 0
  #logged = 0

  constructor(id: string, name: string, now: Clock, logEntries: number) {
    this.id = id
    this.#name = name
    this.#now = now
    this.#log = new NumberLog(logEntries)
  }

  set(value: number): void {
    // No JSON has it, and nothing could be worked out from it.
    if (!Number.isFinite(value)) return
    this.#value = value
    this.#logged++
    this.#log.add(this.#now(), value)
  }

  /** @param by negative to lower it */
  inc(by = 1): void {
    this.set(this.#value + by)
  }

  read(): LiveItem {
    return {
      id: this.id,
      name: this.#name,
      counters: { logged: this.#logged },
      levels: { value: this.#value },
    }
  }

  drain(epochOffsetMs: number): LogColumns | undefined {
    return this.#log.drain(epochOffsetMs)
  }
}
