import { describe, expect, test } from 'vitest'
import type { LiveItem } from '../push.ts'
import type { LiveMoment } from '../questions/item-window.ts'
import { slotOf } from '../slots.ts'
import { readAlert } from './alert-reading.ts'

const start = Date.UTC(2026, 10, 22, 10)
const second = 1e9

/** A process that told the same section ten seconds ago and now. */
function moment(
  before: LiveItem[] | undefined,
  last: LiveItem[],
  change: Partial<LiveMoment> = {},
): LiveMoment {
  return {
    session: 'shop-1',
    startedAt: new Date(start - 3_600_000),
    before: before && { at: new Date(start), items: before },
    last: { at: new Date(start + 10_000), items: last },
    ...change,
  }
}

const thread = (id: string, cpuSeconds: number, levels: Record<string, number> = {}): LiveItem => ({
  id,
  name: id,
  counters: { cpu_user: cpuSeconds * second },
  levels,
})

/** So many calls of so many milliseconds each, since the program began. */
function calls(
  name: string,
  counts: readonly [ms: number, count: number][],
  rest: Partial<LiveItem> = {},
): LiveItem {
  const count = counts.reduce((sum, [, each]) => sum + each, 0)
  const rising = counts.toSorted(([a], [b]) => a - b)
  return {
    id: name,
    name,
    distributions: {
      duration: {
        count,
        total: counts.reduce((sum, [ms, each]) => sum + ms * 1e6 * each, 0),
        histogram: {
          slots: rising.map(([ms]) => slotOf(ms * 1e6)),
          counts: rising.map(([, each]) => each),
        },
      },
    },
    ...rest,
  }
}

describe('high_cpu', () => {
  test('is of the process that uses most, over its own time', () => {
    const busy = moment([thread('process', 100)], [thread('process', 109)], { session: 'shop-2' })
    const idle = moment([thread('process', 50)], [thread('process', 51)])
    expect(readAlert('high_cpu', { percent: 80 }, { threads: [idle, busy] })).toEqual({
      value: 90,
      limit: 80,
      unit: 'percent',
      of: 'shop-2',
      from: new Date(start),
      to: new Date(start + 10_000),
    })
  })

  test('is the sum of threads where the process itself is not told of', () => {
    const threads = moment([thread('1', 0), thread('2', 0)], [thread('1', 9), thread('2', 8)])
    expect(readAlert('high_cpu', { percent: 80 }, { threads: [threads] })).toMatchObject({ value: 170 })
  })

  test('is not known of a process that ran for long and is heard of first, or that does not tell it', () => {
    const first = moment(undefined, [thread('process', 3000)])
    expect(readAlert('high_cpu', { percent: 80 }, { threads: [first] })).toEqual({
      unjudged: 'The program ran before it began to push: what it does now is known in a moment.',
    })
    expect(readAlert('high_cpu', { percent: 80 }, {})).toEqual({
      unjudged: 'The program does not tell how much processor time it uses (section threads).',
    })
    const young = moment(undefined, [thread('process', 9)], { startedAt: new Date(start) })
    expect(readAlert('high_cpu', { percent: 80 }, { threads: [young] })).toMatchObject({ value: 90 })
  })
})

describe('high_memory', () => {
  const told = { threads: [moment(undefined, [thread('process', 0, { rss: 900, memory_limit: 1000 })])] }

  test('is judged by bytes, by percent of what the process may have, or by what is nearer to its limit', () => {
    expect(readAlert('high_memory', { bytes: 800 }, told)).toMatchObject({ value: 900, unit: 'bytes' })
    expect(readAlert('high_memory', { percent: 85 }, told)).toMatchObject({ value: 90, unit: 'percent' })
    expect(readAlert('high_memory', { bytes: 2000, percent: 85 }, told)).toMatchObject({ unit: 'percent' })
    expect(readAlert('high_memory', { bytes: 100, percent: 85 }, told)).toMatchObject({ unit: 'bytes' })
  })

  test('in percent it is not known where nobody tells how much there may be', () => {
    const unknown = { threads: [moment(undefined, [thread('process', 0, { rss: 900 })])] }
    expect(readAlert('high_memory', { percent: 85 }, unknown)).toEqual({
      unjudged: 'The program does not tell how much memory it may have (section threads): give bytes.',
    })
    expect(readAlert('high_memory', { bytes: 800, percent: 85 }, unknown)).toMatchObject({ value: 900 })
  })
})

const msOf = (reading: ReturnType<typeof readAlert>) =>
  'unjudged' in reading ? reading.unjudged : [reading.of, Math.round((reading.value ?? -1) / 1e6)]

/** As programs tell it that keep no histograms. */
const without = (count: number, totalMs: number): LiveItem => ({
  id: 'pay',
  name: 'pay',
  distributions: { duration: { count, total: totalMs * 1e6, percentiles: { '95': 9e9 } } },
})

describe('slow_response', () => {
  const before = [calls('pay', [[10, 1000]]), calls('search', [[1, 1000]])]
  const told = {
    functions_timing: [
      // Of the ten seconds: pay 90 calls of 20 ms and 10 of 500 ms, search 900 of 1 ms.
      moment(before, [
        calls('pay', [
          [10, 1000],
          [20, 90],
          [500, 10],
        ]),
        calls('search', [[1, 1900]]),
      ]),
    ],
  }
  const limits = { ms: 100, statistic: 'p95', functions: 'any' } as const

  test('is of the slowest function, of all calls, or of those that are named, and only of that time', () => {
    expect(msOf(readAlert('slow_response', limits, told))).toEqual(['pay', 503])
    expect(msOf(readAlert('slow_response', { ...limits, statistic: 'p50' }, told))).toEqual(['pay', 20])
    expect(msOf(readAlert('slow_response', { ...limits, statistic: 'mean' }, told))).toEqual(['pay', 68])
    expect(msOf(readAlert('slow_response', { ...limits, functions: 'all' }, told))).toEqual(['', 20])
    const all90 = readAlert('slow_response', { ...limits, functions: 'all', statistic: 'p90' }, told)
    expect(msOf(all90)).toEqual(['', 1])
    expect(msOf(readAlert('slow_response', { ...limits, functions: ['search'] }, told))).toEqual([
      'search',
      1,
    ])
  })

  test('is nothing where nothing was called, and unknown of what is not told', () => {
    const quiet = { functions_timing: [moment(before, before)] }
    expect(readAlert('slow_response', limits, quiet)).toMatchObject({ value: null })
    expect(readAlert('slow_response', { ...limits, functions: ['refund'] }, told)).toEqual({
      unjudged: 'The program tells of no function or route called refund.',
    })
    expect(readAlert('slow_response', limits, {})).toHaveProperty('unjudged')
  })

  test('percentiles since the program began say nothing of now; its mean does', () => {
    const hotpath = { functions_timing: [moment([without(10, 100)], [without(20, 2100)])] }
    expect(readAlert('slow_response', limits, hotpath)).toEqual({
      unjudged:
        'The program tells percentiles only since it began, which say nothing of now: judge the mean in place of p95.',
    })
    expect(msOf(readAlert('slow_response', { ...limits, statistic: 'mean' }, hotpath))).toEqual(['pay', 200])
  })
})

describe('high_error_rate', () => {
  test('is of the routes where there are any, else of functions', () => {
    const server = moment(
      [calls('GET /', [[1, 100]], { counters: { status_5xx: 50 } })],
      [calls('GET /', [[1, 200]], { counters: { status_5xx: 60 } })],
    )
    const functions = moment(
      [calls('pay', [[1, 10]], { counters: { failed: 0 } })],
      [calls('pay', [[1, 20]], { counters: { failed: 5 } })],
    )
    const limits = { percent: 5 }
    expect(readAlert('high_error_rate', limits, { functions_timing: [functions] })).toMatchObject({
      value: 50,
    })
    expect(
      readAlert('high_error_rate', limits, { functions_timing: [functions], server: [server] }),
    ).toMatchObject({ value: 10 })
    const quiet = moment([...server.last.items], [...server.last.items])
    expect(readAlert('high_error_rate', limits, { server: [quiet] })).toMatchObject({ value: null })
    const silent = { functions_timing: [moment([calls('pay', [[1, 10]])], [calls('pay', [[1, 20]])])] }
    expect(readAlert('high_error_rate', limits, silent)).toHaveProperty('unjudged')
  })
})
