import type { LiveItem, LiveSection } from '@flamegate/live'
import type { Measurements } from './measurements.ts'

/** A clock that only goes on when it is told to. */
export function createTestClock(): { now: () => number; advance: (ms: number) => void } {
  let at = 1000
  return {
    now: () => at,
    advance: (ms) => {
      at += ms
    },
  }
}

/** The item of that name as it stands. */
export function itemOf(measurements: Measurements, section: LiveSection, name: string): LiveItem {
  const item = measurements.read().sections?.[section]?.items?.find((each) => each.name === name)
  if (item === undefined) throw new Error(`There is no ${name} in ${section}.`)
  return item
}
