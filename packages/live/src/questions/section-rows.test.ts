import { describe, expect, test } from 'vitest'
import type { LiveSection, ReceivedLivePush } from '../push.ts'
import { madeProgram, madeStart } from '../testing/made-program.ts'
import { sectionWindow, type LiveMoment } from './item-window.ts'
import { sectionRows, sortedRows, type SectionRow } from './section-rows.ts'

/** A section of a made program at these seconds; the first is when it began, when left out. */
function moment(
  pushes: readonly ReceivedLivePush[],
  section: LiveSection,
  to: number,
  from?: number,
): LiveMoment {
  const at = (second: number) => {
    const push = pushes[second]
    return { at: new Date(push?.at ?? 0), items: push?.sections[section]?.items ?? [] }
  }
  return {
    session: pushes[0]?.session ?? '',
    before: from === undefined ? undefined : at(from),
    last: at(to),
    startedAt: new Date(pushes[0]?.at ?? 0),
  }
}

function rows(section: LiveSection, moments: readonly LiveMoment[], isSinceStart = false): SectionRow[] {
  const window = sectionWindow(section, moments, { isSinceStart, isApart: false })
  return window === undefined ? [] : sectionRows(section, window, [50, 95, 99])
}

const row = (of: readonly SectionRow[], name: string) => of.find(({ item }) => item.name === name)

describe('a time', () => {
  const pushes = madeProgram({ slowFrom: 60 })

  test('is told by the difference of its ends: calls, means, percentiles, rates', () => {
    const before = row(rows('functions_timing', [moment(pushes, 'functions_timing', 60, 30)]), 'shop::pay')
    const after = row(rows('functions_timing', [moment(pushes, 'functions_timing', 120, 60)]), 'shop::pay')
    expect(before).toMatchObject({
      percentilesOf: 'window',
      measures: { calls: 600, calls_per_second: 20, mean_ns: 3e6, total_ns: 1.8e9, wall_percent: 6 },
    })
    expect(after?.measures).toMatchObject({ calls: 1200, calls_per_second: 20, mean_ns: 9e6 })
    // A slot knows a value to a 32nd.
    expect(before?.measures['p99_ns']).toBeCloseTo(3e6, -5.3)
    expect(Math.abs((after?.measures['p50_ns'] ?? 0) / 9e6 - 1)).toBeLessThan(1 / 32)
  })

  test('shares are of all items, and the most comes first', () => {
    const timing = rows('functions_timing', [moment(pushes, 'functions_timing', 60, 0)])
    expect(timing.map(({ item }) => item.name)).toEqual(['shop::pay', 'shop::render', 'shop::parse'])
    expect(timing.reduce((sum, { sharePercent }) => sum + (sharePercent ?? 0), 0)).toBeCloseTo(100)
    expect(timing[0]?.sharePercent).toBeCloseTo((100 * 60) / (60 + 29.8 + 0.6), 0)
    expect(sortedRows(timing, 'p99_ns').map(({ item }) => item.name)[0]).toBe('shop::render')
  })

  test('levels stand as they stand at its end, with how they changed', () => {
    const channels = rows('channels', [moment(pushes, 'channels', 100, 40)])
    expect(row(channels, 'orders')?.measures).toMatchObject({
      sent_per_second: 50,
      received_per_second: 40,
      queued: 1000,
      queued_change: 600,
      capacity: 5000,
    })
  })

  test('threads tell how busy they were and what they kept; the process is no part of itself', () => {
    const threads = rows('threads', [moment(pushes, 'threads', 120, 60)])
    const worker = row(threads, 'worker')
    expect(worker?.measures['cpu_percent']).toBeCloseTo(70)
    expect(worker?.measures).toMatchObject({ kept_bytes: 120e6, kept_change_bytes: 60e6 })
    expect(row(threads, 'main')?.measures).toMatchObject({ kept_bytes: 0 })
    expect(row(threads, 'process')?.sharePercent).toBeNull()
    expect((worker?.sharePercent ?? 0) + (row(threads, 'main')?.sharePercent ?? 0)).toBeCloseTo(100)
  })
})

test('without histograms percentiles are those of the program since it began, and it is said', () => {
  const pushes = madeProgram({ hasHistograms: false })
  const render = row(rows('functions_timing', [moment(pushes, 'functions_timing', 60, 30)]), 'shop::render')
  expect(render).toMatchObject({ percentilesOf: 'since_start', measures: { p95_ns: 1e7 } })
  expect(render?.measures).not.toHaveProperty('p50_ns')
})

test('what a process told of before it began to push is in it, and is counted', () => {
  const options = { isSinceStart: false, isApart: false, from: new Date(madeStart + 60_000) }
  const pushes = madeProgram()
  const window = sectionWindow('channels', [moment(pushes, 'channels', 100)], options)
  expect(window?.withoutBeginning).toBe(1)
  const known = sectionWindow('channels', [moment(pushes, 'channels', 100, 60)], options)
  expect(known?.withoutBeginning).toBe(0)
})

describe('several processes', () => {
  const first = madeProgram()
  const second = madeProgram({ session: 'made-shop-2' })

  test('are added up by name and place', () => {
    const both = rows('functions_timing', [
      moment(first, 'functions_timing', 60, 0),
      moment(second, 'functions_timing', 60, 30),
    ])
    expect(both).toHaveLength(3)
    expect(row(both, 'shop::pay')).toMatchObject({
      item: { sessions: ['made-shop-1', 'made-shop-2'] },
      measures: { calls: 1800 },
      percentilesOf: 'window',
    })
  })

  test('percentiles of theirs that cannot be added up are those of the worst', () => {
    const slow = madeProgram({ session: 'made-shop-3', hasHistograms: false, slowFrom: 0 })
    const fast = madeProgram({ hasHistograms: false })
    const both = rows(
      'functions_timing',
      [moment(fast, 'functions_timing', 60), moment(slow, 'functions_timing', 60)],
      true,
    )
    expect(row(both, 'shop::pay')).toMatchObject({
      percentilesOf: 'since_start_worst_process',
      measures: { p95_ns: 9e6, mean_ns: 6e6 },
    })
  })

  test('one that is gone has done what it did, and has no queue any more', () => {
    const gone = madeProgram({ session: 'made-shop-0', startedAt: madeStart - 100_000, seconds: 90 })
    const both = rows('channels', [moment(gone, 'channels', 90, 30), moment(first, 'channels', 120)])
    expect(row(both, 'orders')?.measures).toMatchObject({ sent: 60 * 50 + 120 * 50, queued: 1200 })
  })

  test('gauges of each stay apart', () => {
    const window = sectionWindow('gauges', [moment(first, 'gauges', 60), moment(second, 'gauges', 60)], {
      isSinceStart: true,
      isApart: true,
    })
    expect(window?.items.map(({ sessions }) => sessions)).toEqual([['made-shop-1'], ['made-shop-2']])
  })
})

test('SQL is told without literals, and queries that differ in nothing else are one', () => {
  const items = ['ann', 'bob'].map((mail, index) => ({
    id: String(index),
    name: `SELECT * FROM t WHERE mail = '${mail}'`,
    distributions: { duration: { count: 1, total: 1000 } },
  }))
  const last = { at: new Date(1000), items }
  const sql = rows('sql', [{ session: 'made-shop-1', before: undefined, last, startedAt: new Date(0) }])
  expect(sql.map(({ item: { name }, measures }) => [name, measures['calls']])).toEqual([
    ['SELECT * FROM t WHERE mail = ?', 2],
  ])
})

test('a counter that began anew counts from zero', () => {
  const [before, last] = [500, 30].map((sent, index) => ({
    at: new Date(10_000 * (index + 1)),
    items: [{ id: '1', name: 'a', counters: { sent } }],
  }))
  if (last === undefined) throw new Error('There are two.')
  const [only] = rows('channels', [{ session: 'made-shop-1', before, last, startedAt: new Date(0) }])
  expect(only?.measures).toMatchObject({ sent: 30, sent_per_second: 3 })
})
