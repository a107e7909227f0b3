import { expect, test } from 'vitest'
import { timelineOf } from './timeline.ts'

test('a timeline is told in UTC, whatever it was typed in', () => {
  expect(
    timelineOf(`
      2026-11-21T10:00:00Z Log in
      2026-11-21T12:30:00.250+02:00 Search  and find

      2026-11-21T09:00:00+0100 Pay`),
  ).toEqual([
    '2026-11-21T10:00:00Z Log in',
    '2026-11-21T10:30:00.250Z Search  and find',
    '2026-11-21T08:00:00.000Z Pay',
  ])
})

test('what is no time stays for the server to refuse', () => {
  expect(timelineOf('ten past ten: pay\n2026-13-41T99:00:00+02:00 x')).toEqual([
    'ten past ten: pay',
    '2026-13-41T99:00:00+02:00 x',
  ])
})
