import type { LiveDistribution } from '@flamegate/live'
import { slotOf } from '@flamegate/live/slots'

/** Values of 2^44, nearly five hours in nanoseconds, and more are counted together. */
const lastSlot = slotOf(2 ** 44)
const total = 0
const max = 1

/** Counts whole numbers, nanoseconds or bytes, in slots. Adding one makes no garbage. */
export class Distribution {
  // Floats, because a count of 32 bits would be full after five days of 10,000 calls a second.
  readonly #counts = new Float64Array(lastSlot + 1)
  readonly #sums = new Float64Array(2)

  add(value: number): void {
    const slot = slotOf(value)
    this.#counts[slot < lastSlot ? slot : lastSlot]! += 1
    this.#sums[total]! += value
    if (value > this.#sums[max]!) this.#sums[max] = value
  }

  /** Sum of all values. */
  get total(): number {
    return this.#sums[total]!
  }

  read(): LiveDistribution {
    const slots: number[] = []
    const counts: number[] = []
    let count = 0
    this.#counts.forEach((each, slot) => {
      if (each === 0) return
      slots.push(slot)
      counts.push(each)
      count += each
    })
    return {
      count,
      total: Math.round(this.#sums[total]!),
      max: Math.round(this.#sums[max]!),
      histogram: { slots, counts },
    }
  }
}
