const noted = 2 ** 16

/** When each item that waits began to wait, the oldest first. Of a queue that is longer than 65,536, only the first ones are known. */
export class TimeQueue {
  #times = new Float64Array(64)
  #first = 0
  #known = 0
  #unknown = 0

  get size(): number {
    return this.#known + this.#unknown
  }

  put(at: number): void {
    // Behind an item whose time is not known no other is, until all of those are gone.
    if (this.#unknown > 0 || this.#known >= noted) {
      this.#unknown++
      return
    }
    if (this.#known === this.#times.length) this.#grow()
    this.#times[(this.#first + this.#known) % this.#times.length] = at
    this.#known++
  }

  /** @returns since when the oldest has waited; NaN where that is not known */
  take(): number {
    if (this.#known === 0) {
      this.#unknown = Math.max(0, this.#unknown - 1)
      return NaN
    }
    const at = this.#times[this.#first]!
    this.#first = (this.#first + 1) % this.#times.length
    this.#known--
    return at
  }

  #grow(): void {
    const times = new Float64Array(this.#times.length * 2)
    times.set(this.#times.subarray(this.#first))
    times.set(this.#times.subarray(0, this.#first), this.#times.length - this.#first)
    this.#times = times
    this.#first = 0
  }
}
