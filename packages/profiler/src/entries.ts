import type { LiveItem } from '@flamegate/live'
import type { Clock } from './clock.ts'
import { TextLog, textOf } from './log.ts'
import type { LogColumns } from './log.ts'

const textMax = 500

/** Values that were logged under a name, or of an expression. */
export class Entry {
  readonly id: string
  readonly #name: string
  readonly #now: Clock
  readonly #log: TextLog
  #logged = 0
  /** Kept as it is until it is told: to write down each would take long. */
  #last: { value: unknown } | undefined
  #lastText = ''

  constructor(id: string, name: string, now: Clock, logEntries: number) {
    this.id = id
    this.#name = name
    this.#now = now
    this.#log = new TextLog(logEntries, textMax)
  }

  add(value: unknown): void {
    this.#logged++
    this.#last = { value }
    this.#log.add(this.#now, value)
  }

  read(): LiveItem {
    if (this.#last !== undefined) this.#lastText = textOf(this.#last.value, textMax)
    this.#last = undefined
    return {
      id: this.id,
      name: this.#name,
      counters: { logged: this.#logged },
      texts: { last_value: this.#lastText },
    }
  }

  drain(epochOffsetMs: number): LogColumns | undefined {
    return this.#log.drain(epochOffsetMs)
  }
}
