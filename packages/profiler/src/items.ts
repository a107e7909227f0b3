import { liveLimits } from '@flamegate/live/limits'
import { plainText } from '@flamegate/live/plain-text'

/** Items of a section by name. There is an end to them, because names may be made of data. */
export class Items<T> implements Iterable<T> {
  readonly #make: (id: string, name: string) => T
  readonly #byName = new Map<string, T>()
  readonly #leftOut = new Set<string>()
  #spare: T | undefined

  constructor(make: (id: string, name: string) => T) {
    this.#make = make
  }

  /** @returns the item of that name; one that nobody is told of when there are too many */
  of(name: string): T {
    const there = this.#byName.get(name)
    if (there !== undefined) return there
    if (this.#byName.size >= liveLimits.itemsMax) {
      if (this.#leftOut.size < liveLimits.itemsMax) this.#leftOut.add(name)
      this.#spare ??= this.#make('spare', 'spare')
      return this.#spare
    }
    const shown = plainText(name, liveLimits.nameMax) || 'anonymous'
    const made = this.#make(String(this.#byName.size), shown)
    this.#byName.set(name, made)
    return made
  }

  /** Names beyond the limit, as far as they were counted. */
  get leftOut(): number {
    return this.#leftOut.size
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#byName.values()
  }
}
