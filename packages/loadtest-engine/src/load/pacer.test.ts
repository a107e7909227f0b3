import { expect, test } from 'vitest'
import { Pacer } from './pacer.ts'

test('what was due next is dropped when other arrivals are due', async () => {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const zero = performance.now()
  const begun: number[] = []
  let arrivals = [3_600_000].values()
  const pacer = new Pacer(
    () => arrivals.next().value ?? Infinity,
    (due) => void begun.push(Math.round(due - zero)),
    resolve,
  )
  pacer.start(zero)
  arrivals = [5, 6].values()
  pacer.renew()
  await ended
  expect(begun).toEqual([5, 6])
})
