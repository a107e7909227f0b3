import { operations } from '@flamegate/contract'
import { madeProgram, madeStart } from '@flamegate/live/testing'
import { describe, expect, test } from 'vitest'
import { compareLiveMoments } from './compare-live-moments.ts'
import { liveResources } from './live-resources.ts'
import { functionTimingLogs } from './logs.ts'
import { profilerStatus } from './profiler-status.ts'
import { channels, functionsAlloc, functionsTiming, gauges, threads } from './summaries.ts'
import { askLive } from './testing/ask-live.ts'

const ask = askLive({ app_1: madeProgram() })

/** What the documentation of hotpath promises answers to. */
describe('in one or two calls an agent learns', () => {
  test('which functions dominate total execution time right now', async () => {
    const { answer, markdown } = await ask(operations.functionsTiming, functionsTiming)
    expect(answer.rows[0]).toMatchObject({ name: 'shop::pay', place: 'src/pay.rs:12' })
    expect(answer.rows[0]?.share_percent).toBeGreaterThan(60)
    expect(answer.window).toMatchObject({ is_since_start: true, seconds: 120, processes: 1 })
    expect(markdown).toMatch(/\| shop::pay \(src\/pay.rs:12\) \| 66\.4 % \| 2,400 \|/)

    const lately = await ask(operations.functionsTiming, functionsTiming, { last_seconds: 30 })
    expect(lately.answer.rows[0]).toMatchObject({ name: 'shop::pay', measures: { calls: 600 } })
    expect(lately.answer.window).toMatchObject({ is_since_start: false, seconds: 30 })
  })

  test('where most of the memory is allocated', async () => {
    const { answer } = await ask(operations.functionsAlloc, functionsAlloc)
    expect(answer.rows[0]).toMatchObject({ name: 'shop::parse', measures: { total_bytes: 3.6e8 } })
    expect(answer.rows[0]?.share_percent).toBeGreaterThan(99)
  })

  test('which channel has the highest throughput, and which the highest pressure', async () => {
    const busiest = await ask(operations.channels, channels, { last_seconds: 60 })
    expect(busiest.answer.rows[0]).toMatchObject({ name: 'ticks', measures: { sent_per_second: 1000 } })
    const fullest = await ask(operations.channels, channels, { last_seconds: 60, sort: 'queued' })
    expect(fullest.answer.rows[0]).toMatchObject({
      name: 'orders',
      measures: { queued: 1200, queued_change: 600, capacity: 5000 },
    })
  })

  test('whether any functions show spikes of p95 or p99', async () => {
    const { answer } = await ask(operations.functionsTiming, functionsTiming, {
      sort: 'p99_ns',
      percentiles: [50, 99, 99.9],
    })
    const [row] = answer.rows
    const measures = row?.measures ?? {}
    expect(row).toMatchObject({ name: 'shop::render', percentiles_of: 'since_start' })
    expect((measures['p99_ns'] ?? 0) / (measures['p50_ns'] ?? 1)).toBeGreaterThan(50)
    expect(measures).toHaveProperty('p99_9_ns')
  })

  test.each([{ function_name: 'shop::pay' }, { function_id: '1' }])(
    'the last 10 timings of one function, by %j',
    async (which) => {
      const { answer, markdown } = await ask(operations.functionTimingLogs, functionTimingLogs, {
        ...which,
        limit: 10,
      })
      expect(answer.entries).toHaveLength(10)
      expect(answer.entries[0]).toMatchObject({
        at: new Date(madeStart + 119_950).toISOString(),
        name: 'shop::pay',
        measures: { duration_ns: 3e6 + 19 },
        thread: 'worker',
      })
      expect(answer.item).toMatchObject({ name: 'shop::pay', measures: { calls: 2400 } })
      expect(markdown.split('\n').filter((line) => line.includes('| worker |'))).toHaveLength(10)
    },
  )

  test('how two functions compare in latency and allocation', async () => {
    const timing = await ask(operations.functionsTiming, functionsTiming, { filter: 'PA' })
    const memory = await ask(operations.functionsAlloc, functionsAlloc, { filter: 'PA' })
    expect(timing.answer.rows.map(({ name, measures }) => [name, measures['mean_ns']])).toEqual([
      ['shop::pay', 3e6],
      ['shop::parse', 2000],
    ])
    expect(memory.answer.rows.map(({ name, measures }) => [name, measures['mean_bytes']])).toEqual([
      ['shop::parse', 10_000],
      ['shop::pay', 1000],
    ])
    // Shares stay those of the whole.
    expect(timing.answer.rows[0]?.share_percent).toBeLessThan(70)
  })

  test('which threads consume the most CPU and memory', async () => {
    const { answer, markdown } = await ask(operations.threads, threads, { last_seconds: 60 })
    expect(answer.rows[0]).toMatchObject({ name: 'worker' })
    expect(answer.rows[0]?.measures['cpu_percent']).toBeCloseTo(70)
    expect(answer.process?.measures['rss_bytes']).toBe(5e7 + 120e6)
    expect(markdown).toContain('All of the process')
  })

  test('whether any threads steadily allocate without giving back', async () => {
    const { answer, markdown } = await ask(operations.compareLiveMoments, compareLiveMoments)
    expect(answer.growing.map(({ name, measure }) => `${name} ${measure}`)).toEqual(
      expect.arrayContaining(['worker kept_bytes', 'orders queued', 'process rss_bytes']),
    )
    expect(answer.growing.some(({ name }) => name === 'main' || name === 'ticks')).toBe(false)
    expect(markdown).toMatch(/\| threads \| worker \| kept_bytes \|.* of /)
    const kept = await ask(operations.threads, threads, { sort: 'kept_bytes' })
    expect(kept.answer.rows[0]).toMatchObject({ name: 'worker', measures: { kept_bytes: 120e6 } })
  })
})

describe('two moments', () => {
  test('of one app tell what slowed between them', async () => {
    const slowing = askLive({ app_1: madeProgram({ slowFrom: 60 }) })
    const { answer, markdown } = await slowing(operations.compareLiveMoments, compareLiveMoments)
    expect([answer.base.seconds, answer.head.seconds]).toEqual([60, 60])
    expect(answer.times).toHaveLength(1)
    expect(answer.times[0]).toMatchObject({
      name: 'shop::pay',
      mean_ns: { base: 3e6, head: 9e6 },
      change_percent: 200,
    })
    expect(answer.times[0]?.percentiles).toHaveProperty('p99_ns')
    expect(markdown).toContain('| functions_timing | shop::pay | 3 ms | 9 ms | +200.0 % |')
  })

  test('of two apps are each what it last did', async () => {
    const two = askLive({
      app_1: madeProgram({ slowFrom: 0, startedAt: madeStart + 3_600_000 }),
      app_2: madeProgram(),
    })
    const { answer } = await two(operations.compareLiveMoments, compareLiveMoments, {
      base_live_app_id: 'app_2',
    })
    expect(answer).toMatchObject({ base_live_app_id: 'app_2', live_app_id: 'app_1' })
    expect(answer.times[0]).toMatchObject({ name: 'shop::pay', mean_ns: { base: 3e6, head: 9e6 } })
  })

  test('of which nothing is known are said to be so', async () => {
    const young = askLive({ app_1: madeProgram({ seconds: 10 }) })
    const { answer } = await young(operations.compareLiveMoments, compareLiveMoments)
    expect(answer.times).toEqual([])
    expect(answer.notes).toEqual(['Nothing was told in the base: there is nothing to compare with.'])
  })
})

describe('an answer says', () => {
  test('that a section is not enabled, and how it is', async () => {
    const { answer, markdown } = await ask(operations.liveResources, liveResources, {
      section: 'functions_cpu',
    })
    expect(answer.section).toMatchObject({ status: 'off', reason: 'CPU profiling not available' })
    expect(markdown).toContain('functions_cpu is not enabled (CPU profiling not available). ')
    const rust = askLive({ app_1: madeProgram({ hasHistograms: false }) })
    const status = await rust(operations.profilerStatus, profilerStatus)
    expect(status.markdown).toContain('Build with the feature hotpath-cpu')
    expect(status.answer.processes[0]).toMatchObject({ pid: 4242, uptime_seconds: 120, is_pushing: false })
  })

  test('how old it is', async () => {
    const { answer } = await ask(operations.gauges, gauges)
    expect(answer.last_push_at).toBe(new Date(madeStart + 120_000).toISOString())
    expect(answer.age_seconds).toBeCloseTo((Date.now() - madeStart - 120_000) / 1000, -2)
  })

  test('that nothing was pushed yet', async () => {
    const { answer, markdown } = await askLive({ app_1: [] })(operations.functionsTiming, functionsTiming)
    expect(answer).toMatchObject({ last_push_at: null, rows: [], section: { status: 'unknown' } })
    expect(markdown).toContain('nothing was pushed yet')
  })

  test('which percentiles the program does not tell', async () => {
    const rust = askLive({ app_1: madeProgram({ hasHistograms: false }) })
    const { answer, markdown } = await rust(operations.functionsTiming, functionsTiming, { last_seconds: 30 })
    expect(answer.notes).toEqual(['The program tells only p95; p50, p99 cannot be told.'])
    expect(markdown).toContain('Percentiles are since the start: the program tells no others.')
  })

  test('no literal of SQL, in rows or in logs', async () => {
    const input = { section: 'sql', item_id: '1' }
    const { answer, markdown } = await ask(operations.liveResources, liveResources, input)
    expect(answer.rows[0]?.name).toBe('SELECT * FROM orders WHERE mail = ?')
    expect(answer.entries[0]).toMatchObject({ name: 'SELECT * FROM orders WHERE mail = ?' })
    expect(JSON.stringify(answer) + markdown).not.toContain('example.com')
  })
})

describe('it is refused, with what there is,', () => {
  test.each([
    ['another sort', { sort: 'speed' }, 'sort', 'total_ns'],
    ['a process that is none', { session: 'made-shop-9' }, 'session', 'made-shop-1'],
  ])('to ask for %s', async (_what, input, field, known) => {
    await expect(ask(operations.functionsTiming, functionsTiming, input)).rejects.toMatchObject({
      code: 'invalid_input',
      errors: [{ field, message: expect.stringContaining(known) }],
    })
  })

  test('to ask for the log of what is not there', async () => {
    await expect(
      ask(operations.functionTimingLogs, functionTimingLogs, { function_name: 'shop::gone' }),
    ).rejects.toMatchObject({ code: 'live_item_not_found', message: expect.stringContaining('shop::pay') })
  })

  test('to ask for an app of others', async () => {
    await expect(
      ask(operations.functionsTiming, functionsTiming, { live_app_id: 'app_9' }),
    ).rejects.toMatchObject({ code: 'live_app_not_found' })
  })
})

describe('of processes that come and go', () => {
  const restarted = askLive({
    app_1: [
      ...madeProgram({ session: 'made-shop-0', startedAt: madeStart - 3_600_000 }),
      ...madeProgram({ session: 'made-shop-1' }),
      ...madeProgram({ session: 'made-shop-2', seconds: 110 }),
    ],
  })

  test('those that still push are told since their start, added up', async () => {
    const { answer } = await restarted(operations.functionsTiming, functionsTiming)
    expect(answer.window.processes).toBe(2)
    expect(answer.rows[0]).toMatchObject({ processes: 2, measures: { calls: 20 * (120 + 110) } })
    expect(answer.rows[0]?.measures['calls_per_second']).toBeCloseTo(40)
  })

  test('one is told alone when it is asked for', async () => {
    const { answer } = await restarted(operations.functionsTiming, functionsTiming, {
      session: 'made-shop-2',
    })
    expect(answer.rows[0]).toMatchObject({ processes: 1, measures: { calls: 2200 } })
  })

  test('one that is gone is told at its time, and its logs are there', async () => {
    const { answer } = await restarted(operations.functionsTiming, functionsTiming, {
      until: new Date(madeStart - 3_600_000 + 60_000).toISOString(),
    })
    expect(answer.rows[0]).toMatchObject({ session: 'made-shop-0', measures: { calls: 1200 } })
    const gone = askLive({
      app_1: [
        ...madeProgram({ session: 'made-shop-0', startedAt: madeStart - 3_600_000 }),
        { session: 'made-shop-1', sequence: 0, at: madeStart, sections: {}, logs: [] },
      ],
    })
    const log = await gone(operations.functionTimingLogs, functionTimingLogs, { function_name: 'shop::pay' })
    expect(log.answer.entries).toHaveLength(50)
    expect(log.answer.item).toBeNull()
  })
})
