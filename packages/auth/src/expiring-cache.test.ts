import { expect, test } from 'vitest'
import { ExpiringCache } from './expiring-cache.ts'

test('an entry is there until its time', () => {
  const cache = new ExpiringCache<string>(10)
  cache.set('a', 'one', 1_000)
  expect(cache.get('a', 999)).toBe('one')
  expect(cache.get('a', 1_000)).toBeUndefined()
})

test('a full cache forgets what was not used for the longest time', () => {
  const cache = new ExpiringCache<number>(2)
  cache.set('a', 1, Infinity)
  cache.set('b', 2, Infinity)
  cache.get('a', 0)
  cache.set('c', 3, Infinity)
  expect([cache.get('a', 0), cache.get('b', 0), cache.get('c', 0)]).toEqual([1, undefined, 3])
})
