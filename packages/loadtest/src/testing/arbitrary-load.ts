import * as fc from 'fast-check'
import { isOpen, load, type ClosedLoad } from '../scenario/load.ts'

const timeMs = fc.integer({ min: 0, max: 100_000 })
const someMs = fc.integer({ min: 1, max: 100_000 })
const users = fc.integer({ min: 0, max: 500 })
const rate = fc.double({ min: 0, max: 200, noNaN: true })

function points<T>(field: string, value: fc.Arbitrary<T>) {
  return fc
    .array(fc.tuple(timeMs, value), { minLength: 1, maxLength: 8 })
    .map((steps) => steps.toSorted(([a], [b]) => a - b))
    .chain((steps) => value.map((first) => [[0, first] as const, ...steps]))
    .map((steps) => steps.map(([at_ms, each]) => ({ at_ms, [field]: each })))
}

/** Closed loads of all types, with jumps, empty parts and zeros among them. */
export const arbitraryClosedLoad = fc
  .oneof(
    fc.record({ type: fc.constant('ramp_up'), users, ramp_up_ms: timeMs, plateau_ms: timeMs }),
    fc.record({
      type: fc.constant('ramp_up_down'),
      users,
      ramp_up_ms: timeMs,
      plateau_ms: timeMs,
      ramp_down_ms: timeMs,
    }),
    fc.record({
      type: fc.constant('stairs'),
      users,
      steps: fc.integer({ min: 1, max: 12 }),
      step_ms: timeMs,
      rise_ms: timeMs,
    }),
    fc.record({ type: fc.constant('custom'), points: points('users', users) }),
  )
  .map((value) => load.parse(value))
  .filter((each): each is ClosedLoad => !isOpen(each))

/** Open loads of all types. */
export const arbitraryOpenLoad = fc
  .tuple(
    fc.constantFrom('constant', 'poisson'),
    fc.oneof(
      fc.record({ type: fc.constant('constant_rate'), rate_per_second: rate, duration_ms: timeMs }),
      fc.record({ type: fc.constant('ramping_rate'), points: points('rate_per_second', rate) }),
      fc
        .record({
          type: fc.constant('spikes'),
          base_rate_per_second: rate,
          spike_rate_per_second: rate,
          first_spike_ms: timeMs,
          spike_ms: someMs,
          interval_ms: someMs,
          duration_ms: timeMs,
        })
        .filter(
          ({ spike_ms, interval_ms, duration_ms }) =>
            spike_ms <= interval_ms && duration_ms / interval_ms <= 1000,
        ),
    ),
  )
  .map(([arrivals, value]) => load.parse({ ...value, arrivals }))
  .filter(isOpen)
