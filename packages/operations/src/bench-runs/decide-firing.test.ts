import { schedule } from '@flamegate/loadtest'
import { describe, expect, test } from 'vitest'
import type { StoredSchedule } from '../ports/index.ts'
import { decideFiring, settled, startingFiring } from './decide-firing.ts'

type Given = Parameters<typeof decideFiring>[0]

const at = (time: string) => new Date(`2026-05-04T${time}Z`)
const iso = (time: string) => at(time).toISOString()
const running = 'bnr_before'

/** Every five minutes, looked at when it is due at noon. */
function every5(policies: object = {}, rest: Partial<StoredSchedule> = {}): Given {
  return {
    document: schedule.parse({ type: 'cron', expression: '*/5 * * * *', ...policies }),
    isEnabled: true,
    nextRunAt: at('12:00:00'),
    waitingSince: null,
    startingSince: null,
    firings: [],
    ...rest,
  }
}

const told = (change: ReturnType<typeof decideFiring>) =>
  (change.firings ?? []).map(({ due_at: due, outcome, count }) => [due.slice(11, 16), outcome, count])

describe('what is due', () => {
  test('is started, and the next time is worked out', () => {
    const change = decideFiring(every5(), undefined, at('12:00:01'))
    expect(change).toMatchObject({
      nextRunAt: at('12:05:00'),
      startingSince: at('12:00:01'),
      firings: [{ due_at: iso('12:00:00'), outcome: 'STARTING', message: '', count: 1 }],
    })
    expect(startingFiring({ firings: change.firings ?? [] })?.bench_result_id).toMatch(/^bnr_/)
  })

  test('once is started once', () => {
    const once = schedule.parse({ type: 'once', at: iso('12:00:00') })
    const change = decideFiring({ ...every5(), document: once }, undefined, at('12:00:30'))
    expect(change.nextRunAt).toBeNull()
    expect(told(change)).toEqual([['12:00', 'STARTING', 1]])
  })

  test.each<[string, Partial<StoredSchedule>, string]>([
    ['before its time', {}, '11:59:59'],
    ['when it is off', { isEnabled: false }, '12:00:01'],
    ['when there is no next time', { nextRunAt: null }, '12:00:01'],
    ['while a run is being started', { startingSince: at('12:00:00') }, '12:00:01'],
  ])('nothing happens %s', (_when, rest, now) => {
    expect(decideFiring(every5({}, rest), undefined, at(now))).toEqual({})
  })
})

describe('what was missed while nothing ran', () => {
  test('is told of, and not run late', () => {
    const change = decideFiring(every5(), undefined, at('12:12:00'))
    expect(told(change)).toEqual([['12:00', 'MISSED', 3]])
    expect(change).toMatchObject({ nextRunAt: at('12:15:00'), waitingSince: null })
    expect(change.startingSince).toBeUndefined()
  })

  test('is told of, and run late once, where that is wanted', () => {
    const change = decideFiring(every5({ when_overdue: 'run' }), undefined, at('12:12:00'))
    expect(told(change)).toEqual([
      ['12:10', 'STARTING', 1],
      ['12:00', 'MISSED', 2],
    ])
    expect(change.firings?.[0]?.message).toContain('late')
  })

  test('goes before what is in time', () => {
    expect(told(decideFiring(every5(), undefined, at('12:10:30')))).toEqual([
      ['12:10', 'STARTING', 1],
      ['12:00', 'MISSED', 2],
    ])
  })

  test('is counted up to a thousand, and what is in time is found all the same', () => {
    const document = schedule.parse({ type: 'cron', expression: '* * * * *' })
    const given = { ...every5(), document, nextRunAt: at('12:00:00') }
    const change = decideFiring(given, undefined, new Date('2026-05-07T12:00:30Z'))
    expect(change.firings?.[0]).toMatchObject({ due_at: '2026-05-07T12:00:00.000Z', outcome: 'STARTING' })
    expect(change.firings?.[1]).toMatchObject({ due_at: iso('12:00:00'), outcome: 'MISSED' })
    expect(change.firings?.[1]?.count).toBeGreaterThanOrEqual(1000)
    expect(change.firings?.[1]?.count).toBeLessThan(1010)
  })

  test('may be something that was to be once', () => {
    const once = schedule.parse({ type: 'once', at: iso('12:00:00') })
    const late = schedule.parse({ type: 'once', at: iso('12:00:00'), when_overdue: 'run' })
    const outcomes = [once, late].map((document) =>
      told(decideFiring({ ...every5(), document }, undefined, at('13:00:00'))),
    )
    expect(outcomes).toEqual([[['12:00', 'MISSED', 1]], [['12:00', 'STARTING', 1]]])
  })

  test('is counted over the hour that clocks leave out', () => {
    const document = schedule.parse({
      type: 'cron',
      expression: '30 2 * * *',
      time_zone: 'Europe/Berlin',
    })
    const given = { ...every5(), document, nextRunAt: new Date('2026-03-28T01:30:00Z') }
    const change = decideFiring(given, undefined, new Date('2026-03-30T12:00:00Z'))
    expect(change.firings).toMatchObject([
      { due_at: '2026-03-28T01:30:00.000Z', outcome: 'MISSED', count: 3 },
    ])
    expect(change.nextRunAt).toEqual(new Date('2026-03-31T00:30:00Z'))
  })
})

describe('while the run before goes on', () => {
  test('the next one is skipped, and told of', () => {
    const change = decideFiring(every5(), running, at('12:00:01'))
    expect(told(change)).toEqual([['12:00', 'SKIPPED', 1]])
    expect(change.firings?.[0]?.message).toContain(running)
    expect(change.nextRunAt).toEqual(at('12:05:00'))
  })

  test('what is skipped for one run is one line, so that the run is not lost among it', () => {
    let given = every5()
    for (const now of ['12:00:01', '12:05:01', '12:10:01'])
      given = { ...given, ...decideFiring(given, running, at(now)) }
    expect(given.firings).toMatchObject([
      { due_at: iso('12:00:00'), at: iso('12:10:01'), outcome: 'SKIPPED', count: 3 },
    ])
  })

  test('or it waits for its end, and one at a time does', () => {
    const waiting = { ...every5(), ...decideFiring(every5({ overlap: 'wait' }), running, at('12:00:01')) }
    const given = { ...waiting, document: every5({ overlap: 'wait' }).document }
    expect(given).toMatchObject({ waitingSince: at('12:00:00'), nextRunAt: at('12:00:06'), firings: [] })
    expect(decideFiring(given, running, at('12:00:06'))).toEqual({ nextRunAt: at('12:00:11') })
    const change = decideFiring(given, undefined, at('12:11:00'))
    expect(told(change)).toEqual([
      ['12:00', 'STARTING', 1],
      ['12:05', 'SKIPPED', 2],
    ])
    expect(change).toMatchObject({ waitingSince: null, nextRunAt: at('12:15:00') })
  })
})

describe('settled()', () => {
  const change = decideFiring(every5(), undefined, at('12:00:01'))
  const firings = change.firings ?? []
  const id = firings[0]?.bench_result_id ?? ''

  test('says that there is a run', () => {
    expect(settled({ firings }, id, undefined)).toMatchObject({
      startingSince: null,
      firings: [{ outcome: 'STARTED', bench_result_id: id }],
    })
  })

  test('or why there is none', () => {
    expect(settled({ firings }, id, 'The scenario was deleted.')).toMatchObject({
      startingSince: null,
      firings: [{ outcome: 'FAILED', message: 'The scenario was deleted.', bench_result_id: null }],
    })
  })

  test('and changes nothing else', () => {
    expect(settled({ firings }, 'bnr_other', undefined).firings).toEqual(firings)
  })
})

test('the last twenty are kept', () => {
  let given = every5({ when_overdue: 'run' })
  for (let day = 0; day < 30; day++) {
    const now = new Date(at('12:00:01').getTime() + day * 300_000)
    given = { ...given, ...decideFiring(given, undefined, now), startingSince: null }
  }
  expect(given.firings).toHaveLength(20)
  expect(given.firings[0]?.due_at).toBe('2026-05-04T14:25:00.000Z')
})
