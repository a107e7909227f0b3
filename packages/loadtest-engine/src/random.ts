/** Numbers that look random, and are the same for the same seed: sfc32 (https://pracrand.sourceforge.net/RNG_engines.txt). */
export class Random {
  #a: number
  #b = 0x9e3779b9
  #c = 0x243f6a88
  #counter = 1

  constructor(seed: number) {
    this.#a = seed | 0
    this.#b ^= Math.trunc(seed / 2 ** 32) | 0
    // What the first numbers show of the seed is thrown away.
    for (let round = 0; round < 12; round++) this.#bits()
  }

  /** From 0 up to, but not including, 1. */
  fraction(): number {
    return this.#bits() / 2 ** 32
  }

  /** From 0 up to, but not including, the limit. */
  below(limit: number): number {
    // 53 bits, for limits that are beyond 32.
    const fraction = ((this.#bits() >>> 5) * 2 ** 26 + (this.#bits() >>> 6)) / 2 ** 53
    return Math.floor(fraction * limit)
  }

  /** Of the normal distribution (Box and Muller). */
  normal(mean: number, deviation: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.fraction()))
    return mean + deviation * radius * Math.cos(2 * Math.PI * this.fraction())
  }

  /** Version 4 of RFC 9562. */
  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.below(16).toString(16))
    hex[12] = '4'
    hex[16] = '89ab'[this.below(4)] ?? '8'
    const text = hex.join('')
    return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
      '-',
    )
  }

  #bits(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return sum >>> 0
  }
}
