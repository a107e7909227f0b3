import { expect, test } from 'vitest'
import { bandPath, draggedRange } from './band-path.ts'

test('a band is steps from its ground, as high as its values are of the highest', () => {
  expect(bandPath([2, 0, 4], 4)).toBe('M0 1L0 0.5L1 0.5L1 1L2 1L2 0L3 0L3 1Z')
  expect(bandPath([0], 0)).toBe('M0 1L0 1L1 1L1 1Z')
})

test('a stretch is dragged in either direction, and no further than the times there are', () => {
  expect(draggedRange(0.25, 0.75, 0, 1000)).toEqual([250, 750])
  expect(draggedRange(1.4, 0.5, 100, 300)).toEqual([200, 300])
  expect(draggedRange(0.5, 0.501, 0, 1000)).toBeUndefined()
})
