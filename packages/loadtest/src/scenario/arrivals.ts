import { loadCurve, type CurvePoint } from './load-curve.ts'
import type { OpenLoad } from './load.ts'

/** Which arrivals are meant: `index` of `agents` begins each n-th one from there on. */
export interface ArrivalShare {
  agents: number
  index: number
}

/**
 * When the iterations of an open load are due. An arrival is where the area under the rate reaches the next whole number, or,
 * for Poisson, the next sum of exponentially distributed steps: a Poisson process whose rate is the curve's
 * (inversion, https://en.wikipedia.org/wiki/Poisson_point_process#Simulation). Every agent that is given the same numbers goes
 * through the same schedule, and takes its share of it.
 */
export class ArrivalSchedule {
  readonly #curve: readonly CurvePoint[]
  readonly #isPoisson: boolean
  readonly #random: () => number
  readonly #share: ArrivalShare
  /** Which part of the curve is gone through, and the area before it. */
  #part = 1
  #areaBefore = 0
  /** Area at which the next arrival is due. */
  #area: number
  #number = -1

  /**
   * @param random From 0 up to, but not including, 1; with a seed that all agents of a run share. Asked for Poisson only.
   */
  constructor(load: OpenLoad, random: () => number, share: ArrivalShare = { agents: 1, index: 0 }) {
    this.#curve = loadCurve(load)
    this.#isPoisson = load.arrivals === 'poisson'
    this.#random = random
    this.#share = share
    this.#area = this.#isPoisson ? this.#step() : 0
  }

  /** Which arrival of the whole load, counted from 0, `next` gave last; -1 before the first. */
  get number(): number {
    return this.#number
  }

  /** When the next arrival is due, in milliseconds since the load began; Infinity when there is none any more. */
  next(): number {
    const { agents, index } = this.#share
    for (;;) {
      const at = this.#timeOf(this.#area)
      if (at === Infinity) return at
      this.#area += this.#step()
      this.#number++
      if (this.#number % agents === index) return at
    }
  }

  #step(): number {
    return this.#isPoisson ? -Math.log(1 - this.#random()) : 1
  }

  /** Where the area under the curve exceeds this; it is only ever asked for more. */
  #timeOf(area: number): number {
    for (; this.#part < this.#curve.length; this.#part++) {
      const from = this.#curve[this.#part - 1]
      const to = this.#curve[this.#part]
      if (from === undefined || to === undefined) break
      const seconds = (to.atMs - from.atMs) / 1000
      const partArea = ((from.value + to.value) / 2) * seconds
      const rest = area - this.#areaBefore
      // What floating-point numbers are off is no arrival more.
      if (rest < partArea - 1e-6) {
        const slope = (to.value - from.value) / seconds
        const root = Math.sqrt(Math.max(0, from.value ** 2 + 2 * slope * rest))
        const within = rest <= 0 ? 0 : (2 * rest) / (from.value + root)
        return from.atMs + within * 1000
      }
      this.#areaBefore += partArea
    }
    return Infinity
  }
}
