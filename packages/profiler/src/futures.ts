import type { LiveItem } from '@flamegate/live'
import { nsPerMs } from './clock.ts'
import type { Clock } from './clock.ts'
import { Distribution } from './distribution.ts'
import { NumberLog } from './log.ts'
import type { LogColumns } from './log.ts'

const resolved = 0
const rejected = 1

/** Promises of one name: how many wait, and how long each took. */
export class Future {
  readonly id: string
  readonly #name: string
  readonly #now: Clock
  readonly #duration = new Distribution()
  readonly #log: NumberLog
  #calls = 0
  #completed = 0
  #failed = 0

  constructor(id: string, name: string, now: Clock, logEntries: number) {
    this.id = id
    this.#name = name
    this.#now = now
    this.#log = new NumberLog(logEntries, ['resolved', 'rejected'])
  }

  follow<T>(begin: () => PromiseLike<T>): Promise<T> {
    const from = this.#now()
    this.#calls++
    return Promise.resolve(beginSafely(begin)).then(
      (value) => {
        this.#completed++
        this.#settled(from, resolved)
        return value
      },
      (error: unknown) => {
        this.#failed++
        this.#settled(from, rejected)
        throw error
      },
    )
  }

  read(): LiveItem {
    return {
      id: this.id,
      name: this.#name,
      kind: 'promise',
      counters: { calls: this.#calls, completed: this.#completed, failed: this.#failed },
      levels: { pending: this.#calls - this.#completed - this.#failed },
      distributions: { duration: this.#duration.read() },
    }
  }

  drain(epochOffsetMs: number): LogColumns | undefined {
    return this.#log.drain(epochOffsetMs)
  }

  #settled(from: number, kind: number): void {
    const at = this.#now()
    const ns = (at - from) * nsPerMs
    this.#duration.add(ns)
    this.#log.add(at, ns, kind)
  }
}

function beginSafely<T>(begin: () => PromiseLike<T>): PromiseLike<T> {
  try {
    return begin()
  } catch (error) {
    return Promise.reject(error)
  }
}
