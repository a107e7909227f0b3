import type { LiveItem } from '@flamegate/live'
import type { Clock } from './clock.ts'
import { NumberLog } from './log.ts'
import type { LogColumns } from './log.ts'

/** What async iterables of one name yielded. */
export class IterableMeter {
  readonly id: string
  readonly #name: string
  readonly #now: Clock
  readonly #log: NumberLog
  #items = 0
  #instances = 0
  #closed = 0

  constructor(id: string, name: string, now: Clock, logEntries: number) {
    this.id = id
    this.#name = name
    this.#now = now
    this.#log = new NumberLog(logEntries)
  }

  async *follow<T>(source: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    this.#instances++
    try {
      for await (const item of source) {
        this.#items++
        this.#log.add(this.#now(), NaN)
        yield item
      }
    } finally {
      this.#closed++
    }
  }

  read(): LiveItem {
    return {
      id: this.id,
      name: this.#name,
      state: this.#closed < this.#instances ? 'active' : 'closed',
      counters: { items: this.#items },
      levels: { instances: this.#instances, closed_instances: this.#closed },
    }
  }

  drain(epochOffsetMs: number): LogColumns | undefined {
    return this.#log.drain(epochOffsetMs)
  }
}
