import { expect, test } from 'vitest'
import { splitNames, thresholdDrafts, thresholdOf } from './monitor-draft.ts'

test.each([
  { name: 'busy', counters: ['cpu.*'], severity: 'critical', above: 90, seconds: 30 },
  {
    name: 'cold',
    counters: ['hits{a="1",b="2"}', 'misses'],
    severity: 'warning',
    between: [0, 0.5],
    occurrences: 3,
  },
  { name: 'idle', counters: ['requests'], severity: 'warning', below: 0, occurrences: 1 },
])('a threshold that is opened and saved is the same: $name', (threshold) => {
  expect(thresholdDrafts({ thresholds: [threshold] }).map(thresholdOf)).toEqual([threshold])
})

test('names are apart by lines and commas, but not within labels', () => {
  expect(splitNames('up, hits{a="1",b="2"}\n\n load.*')).toEqual(['up', 'hits{a="1",b="2"}', 'load.*'])
})
