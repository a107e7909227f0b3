import { expect, test } from 'vitest'
import { lookUntil } from './look-until.ts'

const failing = () => Promise.reject(new Error('It was looked'))
const soon = { seconds: 30, everyMs: 1 }

test('looks until that is seen which is waited for, and no more often', async () => {
  let looks = 0
  const look = () => Promise.resolve(++looks)
  expect(await lookUntil(0, look, (seen) => seen === 3, soon)).toBe(3)
  expect(looks).toBe(3)
})

test('what was seen at first is enough when it is what is waited for, or there is no time', async () => {
  expect(await lookUntil(7, failing, (seen) => seen === 7, soon)).toBe(7)
  expect(await lookUntil(7, failing, () => false, { seconds: 0, everyMs: 1 })).toBe(7)
})

test('when the time is over it answers what was seen last', async () => {
  let looks = 0
  const look = () => Promise.resolve(++looks)
  const last = await lookUntil(0, look, () => false, { seconds: 0.02, everyMs: 5 })
  expect(last).toBe(looks)
  expect(looks).toBeGreaterThan(0)
})

test('a look that fails is told', async () => {
  await expect(lookUntil(0, failing, () => false, soon)).rejects.toThrow('It was looked')
})
