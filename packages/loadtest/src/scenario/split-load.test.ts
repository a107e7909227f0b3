import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { arbitraryClosedLoad } from '../testing/arbitrary-load.ts'
import { loadDurationMs, wantedUsers } from './load-curve.ts'
import { shareOfUsers } from './split-load.ts'

const agents = fc.integer({ min: 1, max: 50 })
const offset = fc.integer({ min: 0, max: 200 })

function sharesOf(users: number, count: number, from: number): number[] {
  return Array.from({ length: count }, (_, index) => shareOfUsers(users, { agents: count, index }, from))
}

test('shareOfUsers() deals users out one after the other', () => {
  expect(sharesOf(10, 3, 0)).toEqual([4, 3, 3])
  expect(sharesOf(10, 3, 2)).toEqual([3, 3, 4])
  expect(sharesOf(1, 3, 1)).toEqual([0, 1, 0])
})

test('the shares of all agents are the whole at every moment, and differ by one at most', () => {
  fc.assert(
    fc.property(
      arbitraryClosedLoad,
      agents,
      offset,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (load, count, from, part) => {
        const users = wantedUsers(load, part * loadDurationMs(load))
        const shares = sharesOf(users, count, from)
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(users)
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
      },
    ),
  )
})

test('one more user is one more for one agent, and takes none from another', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), agents, offset, (users, count, from) => {
      const before = sharesOf(users, count, from)
      const more = sharesOf(users + 1, count, from).map((share, index) => share - (before[index] ?? 0))
      expect(more.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: count - 1 }, () => 0), 1])
    }),
  )
})
