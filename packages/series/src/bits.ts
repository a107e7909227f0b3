import { SeriesFormatError } from './bytes.ts'

/**
 * Whole numbers as bits, the highest first. Small ones are short: a Rice code has the number's upper part as so many zeros and a
 * one, and its `k` lowest bits after that (R. F. Rice, "Some Practical Universal Noiseless Coding Techniques", JPL 79-22). A
 * `Mean` of what was coded before gives `k`, on both sides the same, so that the code follows the numbers as they grow and
 * shrink, and nothing about it is stored.
 */

/** An upper part of as many is no part of a number: the number comes after it, whole. */
const escape = 16
const numberBits = 53

/** About the mean of the numbers lately coded with it. */
export class Mean {
  /** Sixteen times the mean. */
  sum = 16

  /** Three quarters of the mean as a power of two: what is best for numbers of which each is as probable as a constant part of the one below. */
  get k(): number {
    return 31 - Math.clz32(((this.sum * 3) >>> 6) | 1)
  }

  add(value: number): void {
    this.sum += (value < maxOfMean ? value : maxOfMean) - (this.sum >>> 4)
  }
}

export interface PairMeans {
  first: Mean
  second: Mean
}

/** Below that, `k` is 0. */
const leastSums = 43

/** Larger numbers count as that, so that sums stay below 2^29. */
const maxOfMean = 2 ** 24

export class BitWriter {
  #bytes = new Uint8Array(1 << 12)
  #length = 0
  #word = 0
  #free = 32

  /** A number of as many bits, 32 at most. */
  bits(value: number, length: number): void {
    const rest = length - this.#free
    if (rest < 0) {
      this.#word |= value << -rest
      this.#free = -rest
      return
    }
    this.#flush(this.#word | (value >>> rest))
    this.#word = rest === 0 ? 0 : value << (32 - rest)
    this.#free = 32 - rest
  }

  /** A number from 0 to 2^53 - 1 of as many bits. */
  number(value: number, length: number): void {
    if (length > 32) this.bits(Math.floor(value / 2 ** 32), length - 32)
    this.bits(value >>> 0, Math.min(32, length))
  }

  /** A number from 0 to 2^53 - 1, in about as many bits as it takes with such a mean. */
  rice(value: number, mean: Mean): void {
    const { k } = mean
    mean.add(value)
    const upper = value < 2 ** 31 ? value >>> k : escape
    if (upper < escape && k < escape) this.bits((1 << k) | (value & ((1 << k) - 1)), upper + 1 + k)
    else this.#long(value, k)
  }

  /**
   * Pairs of them, from one place on to before another. Most bits of all are written here, so that what `rice` and `bits` do is
   * written out, and what they keep in objects is in variables.
   */
  ricePairs(firsts: Uint16Array, seconds: Float64Array, start: number, end: number, means: PairMeans): void {
    let firstSum = means.first.sum
    let secondSum = means.second.sum
    for (let place = start; place < end; place++) {
      const first = firsts[place] ?? 0
      const second = seconds[place] ?? 0
      const k = 31 - Math.clz32(((firstSum * 3) >>> 6) | 1)
      const upper = first >>> k
      let length = upper + 1 + k
      let code = (1 << k) | (first & ((1 << k) - 1))
      const isShort = upper < escape && k < escape
      if (isShort && second === 0 && secondSum < leastSums) {
        // A zero, the most frequent of all, in a single bit.
        code = (code << 1) | 1
        length++
      }
      if (isShort) this.bits(code, length)
      else this.#long(first, k)
      firstSum += first - (firstSum >>> 4)
      if (second === 0 && secondSum < leastSums) {
        if (!isShort) this.bits(1, 1)
        secondSum -= secondSum >>> 4
      } else {
        means.second.sum = secondSum
        this.rice(second, means.second)
        secondSum = means.second.sum
      }
    }
    means.first.sum = firstSum
    means.second.sum = secondSum
  }

  /** What was written, to a whole byte, until something else is. */
  end(): Uint8Array {
    const length = this.#length + Math.ceil((32 - this.#free) / 8)
    this.#flush(this.#word)
    return this.#bytes.subarray(0, length)
  }

  /** Begins anew, in the same memory. */
  clear(): void {
    this.#length = 0
    this.#word = 0
    this.#free = 32
  }

  #long(value: number, k: number): void {
    const upper = value < 2 ** 31 ? value >>> k : escape
    this.bits(1, Math.min(upper, escape) + 1)
    if (upper < escape) this.bits(value & ((1 << k) - 1), k)
    else this.number(value, numberBits)
  }

  #flush(word: number): void {
    if (this.#length + 4 > this.#bytes.length) {
      const grown = new Uint8Array(2 * this.#bytes.length)
      grown.set(this.#bytes)
      this.#bytes = grown
    }
    const bytes = this.#bytes
    bytes[this.#length++] = word >>> 24
    bytes[this.#length++] = word >>> 16
    bytes[this.#length++] = word >>> 8
    bytes[this.#length++] = word
  }
}

/** So many bytes of anything must come after what is read: two numbers that should not be there are read before that is seen. */
export const readAhead = 16

/** Reads what a `BitWriter` wrote. */
export class BitReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #end: number
  /** In bits. */
  #at: number

  /** Of these bytes, from one on to before another, which is `readAhead` before their end. */
  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#at = 8 * start
    this.#end = 8 * end
  }

  /** How many bits there still are. */
  get left(): number {
    return this.#end - this.#at
  }

  bits(length: number): number {
    const value = length === 0 ? 0 : this.#peek() >>> (32 - length)
    this.#at += length
    return value
  }

  /** @throws SeriesFormatError when it is more than 2^53 - 1 */
  number(length: number): number {
    if (length > numberBits) throw this.error(`a number has ${length} bits`)
    const upper = length > 32 ? this.bits(length - 32) : 0
    return upper * 2 ** 32 + this.bits(length > 32 ? 32 : length)
  }

  rice(mean: Mean): number {
    const value = this.#rice(mean.k)
    mean.add(value)
    return value
  }

  /**
   * Slots and their counts, from one place to before another: pairs of how many slots were left out since the one before, and
   * the count less one. Most bits of all are read here, so that what `rice` does is written out, and what it keeps in objects is
   * in variables; and mostly both numbers are in the bits that are looked at for the first.
   * @param slot the one before the first
   * @returns the last one, which may be none that there is
   */
  slotPairs(
    slots: Uint16Array,
    counts: Float64Array,
    { start, end, slot }: { start: number; end: number; slot: number },
    means: PairMeans,
  ): number {
    const view = this.#view
    let at = this.#at
    let gapSum = means.first.sum
    let countSum = means.second.sum
    let last = slot
    for (let place = start; place < end; place++) {
      if (at > this.#end) throw this.error('the bits end too early')
      const shift = at & 7
      let word = view.getInt32(at >>> 3) << shift
      let upper = Math.clz32(word)
      let k = 31 - Math.clz32(((gapSum * 3) >>> 6) | 1)
      let length = upper + 1 + k
      if (upper < escape && k < escape && length + shift <= 32) {
        const gap = (upper << k) | (((word << (upper + 1)) >>> 1) >>> (31 - k))
        last += 1 + gap
        gapSum += gap - (gapSum >>> 4)
        at += length
        word <<= length
      } else {
        this.#at = at
        const gap = this.#rice(k)
        last += 1 + gap
        gapSum += (gap < maxOfMean ? gap : maxOfMean) - (gapSum >>> 4)
        at = this.#at
        word = 0
      }
      slots[place] = last
      upper = Math.clz32(word)
      k = 31 - Math.clz32(((countSum * 3) >>> 6) | 1)
      length += upper + 1 + k
      if (upper < escape && k < escape && length + shift <= 32) {
        const more = (upper << k) | (((word << (upper + 1)) >>> 1) >>> (31 - k))
        counts[place] = more + 1
        countSum += more - (countSum >>> 4)
        at += upper + 1 + k
      } else {
        this.#at = at
        const more = this.#rice(k)
        counts[place] = more + 1
        countSum += (more < maxOfMean ? more : maxOfMean) - (countSum >>> 4)
        at = this.#at
      }
    }
    this.#at = at
    means.first.sum = gapSum
    means.second.sum = countSum
    return last
  }

  #rice(k: number): number {
    const word = this.#peek()
    const upper = Math.clz32(word)
    if (upper >= escape || k >= escape) return this.#longRice(upper, k)
    this.#at += upper + 1 + k
    return (upper << k) | (((word << (upper + 1)) >>> 1) >>> (31 - k))
  }

  #longRice(upper: number, k: number): number {
    if (upper < escape) {
      this.#at += upper + 1
      return upper * 2 ** k + this.bits(k)
    }
    if (upper > escape) throw this.error('there is no number')
    this.#at += escape + 1
    return this.number(numberBits)
  }

  /** @throws SeriesFormatError unless all was read, but for what fills up the last byte */
  checkEnd(): void {
    if (this.#at <= this.#end - 8) throw this.error('there is more after the last number')
    if (this.#at > this.#end) throw this.error('the bits end too early')
  }

  error(what: string): SeriesFormatError {
    return new SeriesFormatError(`At byte ${Math.min(this.#at, this.#end) >>> 3}: ${what}.`)
  }

  /** The next 32 bits. */
  #peek(): number {
    if (this.#at > this.#end) throw this.error('the bits end too early')
    const at = this.#at >>> 3
    const shift = this.#at & 7
    return (this.#view.getInt32(at) << shift) | ((this.#bytes[at + 4] ?? 0) >>> (8 - shift))
  }
}
