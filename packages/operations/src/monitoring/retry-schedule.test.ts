import { expect, test } from 'vitest'
import { nextAttemptAt, switchOffAfterMs } from './retry-schedule.ts'

const hourMs = 3_600_000

/** When each attempt comes, in hours after the first one. */
function attemptsInHours(share: number): number[] {
  const start = new Date(0)
  const hours = [0]
  for (let tried = 0, at = start; ; tried += 1) {
    const next = nextAttemptAt(tried, at, share)
    if (next === null) return hours
    at = next
    hours.push(at.getTime() / hourMs)
  }
}

test('a message is tried ten times within three or four days, with growing pauses', () => {
  const hours = attemptsInHours(0)
  expect(hours).toHaveLength(10)
  expect(hours[1]).toBeLessThan(0.01)
  expect(hours.at(-1)).toBeGreaterThan(72)
  expect(hours.at(-1)).toBeLessThan(96)
  const pauses = hours.slice(1).map((hour, index) => hour - (hours[index] ?? 0))
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
})

test('what failed together does not come back together', () => {
  const [early, late] = [attemptsInHours(0), attemptsInHours(1)]
  expect(late[1]).toBeGreaterThan(early[1] ?? Infinity)
  expect(late[1]).toBeLessThanOrEqual(1.1 * (early[1] ?? 0))
})

test('a webhook gets longer than one message before it is switched off', () => {
  expect(switchOffAfterMs / hourMs).toBeGreaterThan(attemptsInHours(1).at(-1) ?? Infinity)
})
