import { expect, test } from 'vitest'
import { compileDateFormat } from './date-format.ts'

const time = Date.UTC(2026, 0, 4, 23, 5, 9, 70)

test.each([
  ['iso', 'UTC', '2026-01-04T23:05:09.070Z'],
  ['unix', 'UTC', '1767567909'],
  ['unix_ms', 'UTC', '1767567909070'],
  ["yyyy-MM-dd'T'HH:mm:ss.SSSX", 'UTC', '2026-01-04T23:05:09.070Z'],
  ["yyyy-MM-dd'T'HH:mm:ssXXX", 'Asia/Kolkata', '2026-01-05T04:35:09+05:30'],
  ['yy M d H:m:s S', 'UTC', '26 1 4 23:5:9 0'],
  ['EEE, dd MMM yyyy HH:mm:ss Z', 'America/New_York', 'Sun, 04 Jan 2026 18:05:09 -0500'],
  ['EEEE MMMM MMMMM E', 'UTC', 'Sunday January J Sun'],
  ['hh:mm a K k', 'Europe/Berlin', '12:05 AM 0 24'],
  ["'it''s' ''yy''", 'UTC', "it's '26'"],
  ['D DDD YYYY-ww e', 'UTC', '4 004 2026-01 7'],
  ['QQQ q SSSSSS', 'UTC', 'Q1 1 070000'],
  ['ZZZZ ZZZZZ xx x', 'America/New_York', 'GMT-05:00 -05:00 -0500 -05'],
  ['VV z', 'Europe/Berlin', 'Europe/Berlin GMT+1'],
])('%s in %s is %s', (pattern, zone, text) => {
  expect(compileDateFormat(pattern, zone)(time)).toBe(text)
})

test('summer time is that of the moment', () => {
  const format = compileDateFormat('HH:mm XXX', 'Europe/Berlin')
  expect([Date.UTC(2026, 5, 1, 12), Date.UTC(2026, 11, 1, 12)].map(format)).toEqual([
    '14:00 +02:00',
    '13:00 +01:00',
  ])
})
