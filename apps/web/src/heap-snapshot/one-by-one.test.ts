import { expect, test } from 'vitest'
import { OneByOne } from './one-by-one.ts'

const { signal } = new AbortController()

/** Work that ends when it is told to. */
function heldWork() {
  const held = Promise.withResolvers<string>()
  let isBegun = false
  const work = () => {
    isBegun = true
    return held.promise
  }
  return { ...held, work, isBegun: () => isBegun }
}

test('nothing begins before what came first has ended, also when that failed', async () => {
  const turns = new OneByOne()
  const [first, second, third] = [heldWork(), heldWork(), heldWork()]
  const results = [first, second, third].map(({ work }) => turns.take(work, signal))
  const begun = () => [first, second, third].map(({ isBegun }) => isBegun())
  await Promise.resolve()
  expect(begun()).toEqual([true, false, false])
  first.reject(new Error('not found'))
  await expect(results[0]).rejects.toThrow('not found')
  second.resolve('second')
  expect(await results[1]).toBe('second')
  third.resolve('third')
  expect(await results[2]).toBe('third')
})

test('what nobody waits for any more is not begun, and holds nothing up', async () => {
  const turns = new OneByOne()
  const controller = new AbortController()
  const [first, left] = [heldWork(), heldWork()]
  const results = [turns.take(first.work, signal), turns.take(left.work, controller.signal)]
  const next = turns.take(async () => 'next', signal)
  controller.abort(new Error('gone'))
  first.resolve('first')
  expect(await results[0]).toBe('first')
  await expect(results[1]).rejects.toThrow('gone')
  expect(left.isBegun()).toBe(false)
  expect(await next).toBe('next')
})
