import { expect, test } from 'vitest'
import { newestEntries } from './log-entries.ts'

const log = (session: string, at: readonly number[], value: readonly number[]) => ({
  session,
  section: 'gauges' as const,
  item: 'g',
  at: [...at],
  value: [...value],
})
const valuesOf = (logs: readonly ReturnType<typeof log>[], most: number) =>
  newestEntries('gauges', logs, most).map(({ measures }) => measures['value'])

test('the newest come first, of all pieces', () => {
  expect(valuesOf([log('b', [30, 50], [3, 5]), log('a', [10, 40], [1, 4])], 3)).toEqual([5, 4, 3])
})

test('of one moment, the one that was logged last comes first', () => {
  expect(valuesOf([log('a', [7, 7, 7], [1, 2, 3])], 2)).toEqual([3, 2])
})
