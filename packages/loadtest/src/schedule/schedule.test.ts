import { describe, expect, test } from 'vitest'
import { nextFirings, schedule } from './schedule.ts'

function firings(expression: string, zone: string, after: string, count?: number): string[] {
  const read = schedule.parse({ type: 'cron', expression, time_zone: zone })
  return nextFirings(read, new Date(after), count).map((at) => at.toISOString().replace(':00.000Z', 'Z'))
}

describe('nextFirings()', () => {
  test('keeps to the clocks of the zone when they change', () => {
    expect(firings('0 9 * * 1-5', 'America/New_York', '2026-03-05T12:00:00Z')).toEqual([
      '2026-03-05T14:00Z',
      '2026-03-06T14:00Z',
      '2026-03-09T13:00Z',
      '2026-03-10T13:00Z',
      '2026-03-11T13:00Z',
    ])
  })

  test('what falls into the hour that is left out happens an hour later', () => {
    expect(firings('30 2 * * *', 'Europe/Berlin', '2026-03-27T12:00:00Z', 3)).toEqual([
      '2026-03-28T01:30Z',
      '2026-03-29T01:30Z',
      '2026-03-30T00:30Z',
    ])
  })

  test.each([
    ['0 0 * * *', 'Africa/Cairo', '2026-04-23T12:00:00Z', '2026-04-23T22:00Z'],
    ['0 0 * * *', 'America/Havana', '2026-03-07T12:00:00Z', '2026-03-08T05:00Z'],
    ['30 0 * * *', 'Asia/Beirut', '2026-03-28T12:00:00Z', '2026-03-28T22:30Z'],
    ['0 0 * * 0', 'America/Santiago', '2026-09-05T12:00:00Z', '2026-09-06T04:00Z'],
    ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00:00Z', '2026-10-03T15:45Z'],
  ])('so does %s in %s, where that is at midnight or half an hour', (expression, zone, after, first) => {
    expect(firings(expression, zone, after, 1)).toEqual([first])
    // Also for who asks when clocks have gone forward already.
    const minuteBefore = new Date(Date.parse(first.replace('Z', ':00Z')) - 60_000)
    expect(firings(expression, zone, minuteBefore.toISOString(), 1)).toEqual([first])
  })

  test('what was put off is in its place among what was not, and joins what is there already', () => {
    expect(firings('15,40 2 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00:00Z', 2)).toEqual([
      '2026-10-03T15:40Z',
      '2026-10-03T15:45Z',
    ])
    expect(firings('*/30 2-3 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 3)).toEqual([
      '2026-03-29T01:00Z',
      '2026-03-29T01:30Z',
      '2026-03-30T00:00Z',
    ])
  })

  test('what falls into the hour that comes twice happens once, in the first', () => {
    expect(firings('30 2 * * *', 'Europe/Berlin', '2026-10-23T12:00:00Z', 3)).toEqual([
      '2026-10-24T00:30Z',
      '2026-10-25T00:30Z',
      '2026-10-26T01:30Z',
    ])
  })

  test('what goes on through all hours goes on through that one, too', () => {
    expect(firings('*/30 * * * *', 'Europe/Berlin', '2026-10-24T23:45:00Z', 5)).toEqual([
      '2026-10-25T00:00Z',
      '2026-10-25T00:30Z',
      '2026-10-25T01:00Z',
      '2026-10-25T01:30Z',
      '2026-10-25T02:00Z',
    ])
    expect(firings('0 * * * *', 'Europe/Berlin', '2026-03-29T00:10:00Z', 2)).toEqual([
      '2026-03-29T01:00Z',
      '2026-03-29T02:00Z',
    ])
    expect(firings('*/30 * * * *', 'Australia/Lord_Howe', '2026-10-03T15:00:00Z', 2)).toEqual([
      '2026-10-03T15:30Z',
      '2026-10-03T16:00Z',
    ])
  })

  test('is after the moment, not at it', () => {
    expect(firings('0 12 * * *', 'UTC', '2026-05-01T12:00:00Z', 1)).toEqual(['2026-05-02T12:00Z'])
  })

  test('finds days that are years away, and takes names', () => {
    expect(firings('0 0 29 2 *', 'UTC', '2026-03-01T00:00:00Z', 1)).toEqual(['2028-02-29T00:00Z'])
    expect(firings('0 0 * JUL Thu', 'UTC', '2026-03-01T00:00:00Z', 2)).toEqual([
      '2026-07-02T00:00Z',
      '2026-07-09T00:00Z',
    ])
  })

  test('of something that happens once is that, as long as it is to come', () => {
    const once = schedule.parse({ type: 'once', at: '2026-05-01T12:00:00Z' })
    expect(nextFirings(once, new Date('2026-05-01T11:59:59Z'))).toEqual([new Date('2026-05-01T12:00:00Z')])
    expect(nextFirings(once, new Date('2026-05-01T12:00:00Z'))).toEqual([])
  })
})

test('a schedule is in UTC, skips what was missed, and waits for nobody, unless it says otherwise', () => {
  expect(schedule.parse({ type: 'cron', expression: '0 6 * * *' })).toEqual({
    type: 'cron',
    expression: '0 6 * * *',
    time_zone: 'UTC',
    when_overdue: 'skip',
    overlap: 'skip',
  })
})

test.each([
  ['0 0 * * * *', 'UTC', 'expression', 'five fields'],
  ['0 0 * *      ', 'UTC', 'expression', 'five fields'],
  ['61 0 * * *', 'UTC', 'expression', 'minutes are 0 to 59'],
  ['0 0 30 2 *', 'UTC', 'expression', 'as the month has them'],
  ['0 0 31 4,6 *', 'UTC', 'expression', 'This never happens'],
  ['0 0 L * *', 'UTC', 'expression', 'Only numbers'],
  ['0 0 * * 5#2', 'UTC', 'expression', 'Only numbers'],
  ['H 0 * * *', 'UTC', 'expression', 'Only numbers'],
  ['0 0 * * *', 'Mars/Olympus', 'time_zone', 'IANA'],
])('%s in %s is refused', (expression, zone, field, words) => {
  const { error } = schedule.safeParse({ type: 'cron', expression, time_zone: zone })
  expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    [field, expect.stringContaining(words)],
  ])
})
