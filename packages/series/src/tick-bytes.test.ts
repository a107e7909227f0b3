import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeHistograms } from './histogram-sum.ts'
import { tickArbitrary } from './testing/make-ticks.ts'
import { decodeTick, encodeTick, totalsOfTick } from './tick-bytes.ts'
import { tickLimits } from './tick-limits.ts'
import { actionCounters, generatorGauges, type Tick } from './tick.ts'

const containers = new Set([1])

/** So that sums of two of them can be held. */
const halved = (tick: Tick): Tick => ({
  ...tick,
  actions: tick.actions.map((action) => ({
    ...action,
    counters: action.counters.map((value) => Math.min(value, tickLimits.counter / 2)),
  })),
})

test('totals of a tick are the sums of each profile, without what holds others', () => {
  fc.assert(
    fc.property(tickArbitrary(7).map(halved), (tick) => {
      const { actions, ...rest } = decodeTick(totalsOfTick(encodeTick(tick), containers) ?? new Uint8Array())
      expect(rest).toEqual({ second: tick.second, profiles: tick.profiles, generator: tick.generator })
      const counted = tick.actions.filter(({ action }) => !containers.has(action))
      const byProfile = [...Map.groupBy(counted, ({ profile }) => profile)]
      expect(actions).toEqual(
        byProfile.map(([profile, all]) => ({
          profile,
          action: all[0]?.action,
          counters: actionCounters.reduce(
            (sums, _name, place) =>
              sums.fill(
                all.reduce((sum, { counters }) => sum + (counters[place] ?? 0), 0),
                place,
                place + 1,
              ),
            new Float64Array(actionCounters.length),
          ),
          serviceTime: mergeHistograms(all.map(({ serviceTime }) => serviceTime)),
          responseTime: mergeHistograms(all.map(({ responseTime }) => responseTime)),
        })),
      )
    }),
  )
})

test('sums that no tick can hold are none', () => {
  const action = {
    profile: 0,
    counters: Float64Array.from(actionCounters, () => tickLimits.counter),
    serviceTime: mergeHistograms([]),
    responseTime: mergeHistograms([]),
  }
  const tick = { second: 0, profiles: [], generator: new Float64Array(generatorGauges.length) }
  const bytes = encodeTick({
    ...tick,
    actions: [
      { ...action, action: 0 },
      { ...action, action: 2 },
    ],
  })
  expect(totalsOfTick(bytes, containers)).toBeUndefined()
})
