import type { LiveLog, LiveSection } from '@flamegate/live'
import { plainText } from '@flamegate/live/plain-text'
import { inspect } from 'node:util'
import type { Clock } from './clock.ts'

/** Entries of an item's log, without whose they are. */
export type LogColumns = Omit<LiveLog, 'section' | 'item'>

/** A section's item that keeps a log until the next push. */
export interface Logged {
  id: string
  /** What was logged since the last call, and forgets it. */
  drain: (epochOffsetMs: number) => LogColumns | undefined
}

/** The newest numbers since the last push; what they push out counts as lost. Adding one makes no garbage. */
export class NumberLog {
  readonly #at: Float64Array
  readonly #value: Float64Array
  readonly #kind: Uint8Array
  readonly #kinds: readonly string[]
  #next = 0
  #written = 0

  /** @param kinds of entries, where there are any: an entry names its own by number */
  constructor(capacity: number, kinds: readonly string[] = []) {
    this.#at = new Float64Array(capacity)
    this.#value = new Float64Array(capacity)
    this.#kind = new Uint8Array(kinds.length === 0 ? 0 : capacity)
    this.#kinds = kinds
  }

  /** @param value NaN when there is none */
  add(at: number, value: number, kind = 0): void {
    this.#written++
    const index = this.#next
    // Written beside the array, when there is no room at all, is written nowhere.
    this.#at[index] = at
    this.#value[index] = value
    this.#kind[index] = kind
    this.#next = index + 1 < this.#at.length ? index + 1 : 0
  }

  drain(epochOffsetMs: number): LogColumns | undefined {
    if (this.#written === 0) return undefined
    const kept = Math.min(this.#written, this.#at.length)
    const first = this.#written > kept ? this.#next : 0
    const order = Array.from({ length: kept }, (_, index) => (first + index) % this.#at.length)
    const lost = this.#written - kept
    this.#next = this.#written = 0
    return {
      at: order.map((index) => epochMs(this.#at[index]!, epochOffsetMs)),
      value: order.map((index) => numberOrNull(this.#value[index]!)),
      ...(this.#kinds.length > 0 && { kind: order.map((index) => this.#kinds[this.#kind[index]!]!) }),
      ...(lost > 0 && { lost }),
    }
  }
}

/** The first values since the last push, as texts: what comes after them only counts, because to write one takes long. */
export class TextLog {
  readonly #capacity: number
  readonly #textMax: number
  #at: number[] = []
  #texts: string[] = []
  #lost = 0

  constructor(capacity: number, textMax: number) {
    this.#capacity = capacity
    this.#textMax = textMax
  }

  add(now: Clock, value: unknown): void {
    if (this.#at.length >= this.#capacity) {
      this.#lost++
      return
    }
    this.#at.push(now())
    this.#texts.push(textOf(value, this.#textMax))
  }

  drain(epochOffsetMs: number): LogColumns | undefined {
    if (this.#at.length + this.#lost === 0) return undefined
    const drained = {
      at: this.#at.map((at) => epochMs(at, epochOffsetMs)),
      text: this.#texts,
      ...(this.#lost > 0 && { lost: this.#lost }),
    }
    this.#at = []
    this.#texts = []
    this.#lost = 0
    return drained
  }
}

/** As `console.log` shows it, cut, and without what the platform cannot store. Never fails, whatever the value does when it is looked at. */
export function textOf(value: unknown, textMax: number): string {
  try {
    const text =
      typeof value === 'string'
        ? value
        : inspect(value, { depth: 2, breakLength: Infinity, maxArrayLength: 20, maxStringLength: textMax })
    // Cut first: the text of a value may be as long as it likes.
    return plainText(text.slice(0, textMax), textMax)
  } catch {
    return 'a value that cannot be shown'
  }
}

/** What the items of a section have logged since the last time. */
export function drainLogs(section: LiveSection, items: Iterable<Logged>, epochOffsetMs: number): LiveLog[] {
  const logs: LiveLog[] = []
  for (const item of items) {
    const columns = item.drain(epochOffsetMs)
    if (columns !== undefined) logs.push({ section, item: item.id, ...columns })
  }
  return logs
}

/** To the microsecond: more would only make pushes longer. */
function epochMs(at: number, epochOffsetMs: number): number {
  return Math.round((at + epochOffsetMs) * 1000) / 1000
}

function numberOrNull(value: number): number | null {
  return Number.isFinite(value) ? Math.round(value * 1000) / 1000 : null
}
