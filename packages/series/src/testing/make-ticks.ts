import * as fc from 'fast-check'
import { slotOf } from '../slots.ts'
import { actionCounters, generatorGauges, profileCounters } from '../tick.ts'
import type { ActionTick, Histogram, Tick } from '../tick.ts'

/** A histogram of these microseconds. */
export function histogramOf(values: readonly number[]): Histogram {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(slotOf(value), (counts.get(slotOf(value)) ?? 0) + 1)
  const sorted = [...counts].toSorted(([a], [b]) => a - b)
  return {
    slots: Uint16Array.from(sorted, ([slot]) => slot),
    counts: Float64Array.from(sorted, ([, count]) => count),
  }
}

const times = fc.array(fc.oneof(fc.nat(5_000), fc.nat(60_000_000), fc.constant(2 ** 31 - 1)), {
  maxLength: 12,
})

/** Whole numbers of any size that a counter may have. */
const counter = fc.oneof(
  fc.constant(0),
  fc.nat(300),
  fc.nat(),
  fc.nat().map((value) => value * 2 ** 12),
)
const counters = (names: readonly string[]) =>
  fc.array(counter, { minLength: names.length, maxLength: names.length }).map((all) => Float64Array.from(all))

const actionTick = (profile: number, action: number): fc.Arbitrary<ActionTick> =>
  fc.record({
    profile: fc.constant(profile),
    action: fc.constant(action),
    counters: counters(actionCounters),
    serviceTime: times.map(histogramOf),
    responseTime: times.map(histogramOf),
  })

/** Of two profiles with two actions each, of which some did nothing. */
export const tickArbitrary = (second: number): fc.Arbitrary<Tick> =>
  fc.record({
    second: fc.constant(second),
    actions: fc
      .tuple(...[0, 1, 2, 3].map((action) => fc.option(actionTick(action >> 1, action))))
      .map((actions) => actions.filter((action) => action !== null)),
    profiles: fc.array(counters(profileCounters), { minLength: 2, maxLength: 2 }),
    generator: counters(generatorGauges),
  })

/** Ticks of agents, each second of each agent once at most, in any order. */
export const ticksArbitrary = fc
  .uniqueArray(fc.tuple(fc.nat(2), fc.nat(59)), {
    minLength: 1,
    maxLength: 12,
    selector: ([agent, second]) => `${agent} ${second}`,
  })
  .chain((places) =>
    fc.tuple(...places.map(([agent, second]) => tickArbitrary(second).map((tick) => ({ agent, tick })))),
  )
