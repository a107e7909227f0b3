import { expect, test } from 'vitest'
import { WantedTraces } from './page-traces.ts'

test('of each action one that passed and two that failed are kept, and then it is recorded no more', () => {
  const wanted = new WantedTraces()
  const ends = [false, false, true, false, true, true]
  expect(ends.map((hasFailed) => wanted.take('0 act_a', hasFailed))).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
  ])
  expect(wanted.wants('0 act_a')).toBe(false)
  expect(wanted.wants('1 act_a')).toBe(true)
})

test('an action that always passes is recorded on, in case it fails', () => {
  const wanted = new WantedTraces()
  wanted.take('0 act_a', false)
  expect(wanted.wants('0 act_a')).toBe(true)
})

test('twenty are kept of all actions together', () => {
  const wanted = new WantedTraces()
  const kept = Array.from({ length: 30 }, (_, index) => wanted.take(`0 act_${index}`, false))
  expect(kept.filter(Boolean)).toHaveLength(20)
  expect([wanted.isOpen, wanted.wants('0 act_0'), wanted.wants('0 act_99')]).toEqual([false, false, false])
})
