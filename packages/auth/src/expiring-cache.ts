/** A bounded map whose entries end at a time of their own; when it is full, the least recently used one goes. */
export class ExpiringCache<Value> {
  readonly #entries = new Map<string, { value: Value; expiresAtMs: number }>()
  readonly #maxEntries: number

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  get(key: string, nowMs: number): Value | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    if (entry.expiresAtMs <= nowMs) return undefined
    // A Map keeps insertion order, so the first key is always the least recently used one.
    this.#entries.set(key, entry)
    return entry.value
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  set(key: string, value: Value, expiresAtMs: number): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, expiresAtMs })
    if (this.#entries.size <= this.#maxEntries) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }
}
