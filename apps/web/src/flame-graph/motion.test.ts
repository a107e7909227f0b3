import { expect, test } from 'vitest'
import { isOver, sightDuring } from './motion.ts'

const way = { from: { left: 0, span: 1000 }, to: { left: 500, span: 10 }, startMs: 0 }

test('a motion begins and ends where it should, and never turns back', () => {
  const seen = Array.from({ length: 21 }, (_, index) => sightDuring(way, index * 10))
  expect(seen[0]).toEqual(way.from)
  expect(seen.at(-1)).toBe(way.to)
  for (const [index, { left, span }] of seen.entries()) {
    const before = seen[index - 1] ?? way.from
    expect(span).toBeLessThanOrEqual(before.span)
    expect(left).toBeGreaterThanOrEqual(before.left)
  }
  expect([isOver(way, 199), isOver(way, 200)]).toEqual([false, true])
})

test('sideways, nothing changes its size', () => {
  const aside = { from: { left: 0, span: 10 }, to: { left: 5, span: 10 }, startMs: 0 }
  expect(sightDuring(aside, 100)).toMatchObject({ span: 10 })
})
