import * as fc from 'fast-check'
import { actionCounters, profileCounters, totalOf } from '@flamegate/series'
import { describe, expect, test } from 'vitest'
import { findInsights } from './find-insights.ts'
import { insightLevels, toldLoad, type Insight } from './insight.ts'
import type { MeasuredRun } from './measured-run.ts'
import { inBlocks, requestsOf, runOf, unevenRun, usersOf } from './testing/simulated-run.ts'

const options = { apdexTargetMs: 500 }
const found = (run: MeasuredRun, baseline?: MeasuredRun) => findInsights(run, { ...options, baseline })
const kindsOf = (insights: readonly Insight[]) => insights.map(({ kind }) => kind)
const ofKind = (insights: readonly Insight[], kind: string) => insights.find((each) => each.kind === kind)

/** Two minutes of ten users. */
function plainRun(
  seed: number,
  rest: Parameters<typeof unevenRun>[1] = {},
  more: Partial<MeasuredRun> = {},
): MeasuredRun {
  const requests = inBlocks(unevenRun(seed, rest), 2)
  return runOf({ requests, users: requests.map(({ second }) => usersOf(second, 10, {}, 2)), ...more })
}

const rateOf = (count: number) => Math.min(50, count)

const bucketOf = (count: number, ms: number) =>
  requestsOf(
    0,
    Array.from({ length: count }, () => ms),
    {},
    60,
  )

const phased = (counters: object) =>
  plainRun(1).requests.map((bucket) => requestsOf(bucket.second, [20, 20], counters, 2))

const failing = (second: number, count: number, failed: number) =>
  requestsOf(
    second,
    Array.from({ length: count }, () => 10),
    { error_reset: failed },
  )

describe('findInsights()', () => {
  test('has only good news of a run in which nothing is wrong, and says what could not be seen', () => {
    const insights = found(plainRun(1))
    expect(kindsOf(insights)).toEqual(['knee_not_enough_data', 'generators_sound', 'no_errors', 'steady'])
    expect(insights.map(({ level }) => level)).toEqual(['info', 'passed', 'passed', 'passed'])
  })

  test('of nothing says nothing', () => {
    expect(found(runOf({}))).toEqual([])
  })

  test('a generator at its limit is told first, before latencies are believed', () => {
    const generators = { limitedSeconds: 60, cpuShareMax: 0.98, sendLagMaxMs: 240 }
    const [first] = found(plainRun(1, {}, { generators }))
    expect(first).toMatchObject({ kind: 'generator_limited', level: 'critical' })
    expect(first?.title).toBe('In 50 % of the seconds a load generator was the bottleneck.')
    expect(first?.evidence.map(({ value }) => value)).toEqual([60, 0.98, 240])
    // What was measured elsewhere has none that we know of.
    expect(kindsOf(found(plainRun(1, {}, { generators: null })))).not.toContain('generators_sound')
  })

  test('what share of the load went with agents that were lost, and since when', () => {
    const lost = { agentGroup: 'default', parts: 1, of: 4, engines: ['k6'], second: 40 }
    const never = { agentGroup: 'south', parts: 1, of: 2, engines: [], second: null }
    const insights = found(plainRun(1, {}, { lostLoads: [lost, never] })).filter(
      ({ kind }) => kind === 'load_lost',
    )
    expect(insights.map(({ title, level }) => [title, level])).toEqual([
      ['25 % of the load of k6 of default is missing from second 40 on.', 'warning'],
      ['50 % of the load of south was never made.', 'warning'],
    ])
    expect(insights[0]?.evidence).toMatchObject([{ value: 0.25, unit: 'share', second: 40 }])
  })

  test('errors: which most, since when, where, and how many at worst', () => {
    const times = Array.from({ length: 100 }, () => 10)
    const requests = Array.from({ length: 60 }, (_, second) =>
      requestsOf(second, times, second < 20 ? {} : { error_timeout: second === 40 ? 50 : 3, error_reset: 1 }),
    )
    const total = requestsOf(
      0,
      Array.from({ length: 6000 }, () => 10),
      { error_timeout: 167, error_reset: 40 },
      60,
    )
    const run = runOf({ requests, actions: [{ name: 'shop / GET /pay', holdsOthers: false, bucket: total }] })
    const errors = ofKind(found(run), 'errors')
    expect(errors?.level).toBe('warning')
    expect(errors?.title).toMatch(/^3\.45 % of the requests failed, most by timeout, from second 20 on\.$/)
    expect(errors?.detail).toMatch(/^Most of all: shop \/ GET \/pay\. Answers did not come in time/)
    expect(errors?.evidence).toMatchObject([
      { name: 'share of errors', value: 207 / 6000 },
      { name: 'failed by timeout', value: 167, second: 20 },
      { name: 'highest share of errors', value: 0.51, second: 40 },
      { name: 'failed in shop / GET /pay', value: 207 },
    ])
  })

  test('errors of a run that was answered only when its load was over have no highest share', () => {
    const errors = ofKind(found(runOf({ total: failing(0, 10, 10) })), 'errors')
    expect(errors?.title).toBe('100 % of the requests failed, most by reset, after the load.')
    expect(errors?.evidence.map(({ name }) => name)).toEqual(['share of errors', 'failed by reset'])
  })

  test('words are those of people: a class of errors without its underscore, and one user', () => {
    const requests = [
      failing(0, 1000, 0),
      requestsOf(
        1,
        Array.from({ length: 100 }, () => 10),
        { error_status_5xx: 5 },
      ),
    ]
    const errors = ofKind(found(runOf({ requests, total: totalOf(requests) })), 'errors')
    expect(errors?.title).toMatch(/failed, most by status 5xx, from second 1 on\.$/)
    expect(errors?.evidence[1]?.name).toBe('failed by status 5xx')
    expect([toldLoad(1, 'users'), toldLoad(1.5, 'users'), toldLoad(0.999_9, 'requests per second')]).toEqual([
      '1 user',
      '1.5 users',
      '1 request per second',
    ])
  })

  test('errors of all requests are told, as tables have them; not of those under load alone', () => {
    const requests = [failing(0, 1000, 0), failing(1, 1000, 100)]
    const drained = failing(2, 10, 0)
    const run = runOf({ requests, total: totalOf([...requests, drained]) })
    expect(ofKind(found(run), 'errors')?.title).toBe(
      '4.98 % of the requests failed, most by reset, from second 1 on.',
    )
    const late = runOf({ requests: [failing(0, 90, 0)], total: failing(0, 100, 4) })
    expect(ofKind(found(late), 'errors')?.title).toBe(
      '4 % of the requests failed, most by reset, after the load.',
    )
  })

  test('where nothing failed, of how many is told as exactly as the summary has it', () => {
    const titles = [12_448, 1].map((count) => {
      const requests = failing(0, count, 0)
      return ofKind(found(runOf({ requests: [requests], total: requests })), 'no_errors')?.title
    })
    expect(titles).toEqual(['None of 12,448 requests failed.', 'None of 1 request failed.'])
  })

  test('a ramp beyond what a system takes is saturated, with its knee before that', () => {
    const users = Array.from({ length: 120 }, (_, second) => second + 1)
    const requests = users.map((count, second) =>
      requestsOf(
        second,
        Array.from(
          { length: rateOf(count) },
          (_, index) => Math.max(20, 20 * (count - 50)) * (0.9 + index / 500),
        ),
      ),
    )
    const insights = found(runOf({ requests, users: users.map((count, second) => usersOf(second, count)) }))
    const saturated = ofKind(insights, 'saturated')
    expect(saturated?.title).toMatch(
      /^The system was saturated at 50 requests per second, from \d\d(\.\d)? users on\.$/,
    )
    const knee = ofKind(insights, 'knee')
    expect(Math.abs((knee?.evidence[0]?.value ?? 0) - 51)).toBeLessThanOrEqual(7)
    expect(knee?.evidence[0]).toMatchObject({ unit: 'users', shownBy: 'users', runId: 'bnr_1' })
  })

  test('of an open load the load is what was due, not who was busy', () => {
    const seconds = Array.from({ length: 100 }, (_, second) => second)
    const requests = seconds.map((second) =>
      requestsOf(
        second,
        Array.from({ length: second + 1 }, () => (second < 60 ? 20 : 20 + 5 * (second - 60))),
      ),
    )
    const users = seconds.map((second) => usersOf(second, 500, { arrivals_due: second + 1 }))
    const knee = ofKind(found(runOf({ requests, users })), 'knee')
    expect(knee?.title).toMatch(/^Latency kneed at [56]\d(\.\d)? iterations per second, /)
  })

  test('each threshold that was breached is told, with what was measured', () => {
    const thresholds = [
      { text: 'p95 duration < 10 ms', state: 'breached' as const, measured: { value: 44.1, unit: 'ms' } },
      { text: 'error share < 1%', state: 'passed' as const, measured: { value: 0, unit: 'share' } },
    ]
    expect(found(plainRun(1, {}, { thresholds }))[0]).toMatchObject({
      kind: 'threshold_breached',
      title: 'A threshold was breached: p95 duration < 10 ms.',
      evidence: [{ value: 44.1, unit: 'ms' }],
    })
    const kept = found(plainRun(1, {}, { thresholds: thresholds.slice(1) }))
    expect(ofKind(kept, 'thresholds_kept')).toMatchObject({
      title: 'The threshold that something was measured for was kept.',
      evidence: [{ value: 1 }],
    })
  })

  test('the action that takes most of the time, and the slowest, need not be the same', () => {
    const actions = [
      { name: 'search', holdsOthers: false, bucket: bucketOf(900, 20) },
      { name: 'pay', holdsOthers: false, bucket: bucketOf(10, 200) },
      { name: 'checkout', holdsOthers: true, bucket: bucketOf(10, 400) },
    ]
    const insights = found(plainRun(1, {}, { actions }))
    expect(ofKind(insights, 'worst_action')?.title).toBe(
      'search took 90 % of all the time; pay has the longest p95, 200 ms.',
    )
    expect(ofKind(insights, 'worst_container')?.title).toBe(
      'Of the containers checkout has the longest p95, 400 ms.',
    )
  })

  test('what the time went into, and connections when these are much of it', () => {
    const waiting = found(runOf({ requests: phased({ wait_us: 36_000, download_us: 4_000 }) }))
    expect(ofKind(waiting, 'phases')?.title).toBe(
      '90 % of the time of requests was waiting for the first byte, 18 ms on average.',
    )
    const connecting = found(
      runOf({
        requests: phased({ wait_us: 20_000, tls_us: 15_000, connect_us: 5_000, connections_opened: 2 }),
      }),
    )
    expect(ofKind(connecting, 'connections')).toMatchObject({ level: 'warning' })
    expect(ofKind(connecting, 'connections')?.evidence.at(-1)?.value).toBe(120)
  })

  test('what changed since the baseline, with its interval; or that nothing is certain', () => {
    const baseline = plainRun(1, {}, { id: 'bnr_0', name: 'Last week' })
    const slower = ofKind(found(plainRun(2, { middleMs: 30 }), baseline), 'regression')
    expect(slower?.level).toBe('critical')
    expect(slower?.title).toMatch(
      /^Worse than Last week: median \+\d\d\.\d % \(\+\d+\.\d % to \+\d+\.\d %\); p95 /,
    )
    const [before, after] = slower?.evidence ?? []
    expect(before).toMatchObject({ name: 'median before', runId: 'bnr_0' })
    expect(after).toMatchObject({ name: 'median after', runId: 'bnr_1' })
    expect(slower?.evidence.at(-1)).toMatchObject({
      name: 'Kolmogorov–Smirnov distance of the times',
      runId: null,
    })
    const same = kindsOf(found(plainRun(2), baseline))
    expect(same).not.toContain('regression')
    expect(same.some((kind) => kind === 'unchanged' || kind === 'change_not_enough_data')).toBe(true)
  })

  test('whatever was measured, each says one sentence and rests on finite numbers, the worst first', () => {
    const bucket = fc.record({
      times: fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 20 }),
      counters: fc.array(fc.nat(50), { minLength: actionCounters.length, maxLength: actionCounters.length }),
      users: fc.nat(100),
      profile: fc.array(fc.nat(20), { minLength: profileCounters.length, maxLength: profileCounters.length }),
    })
    fc.assert(
      fc.property(
        fc.array(bucket, { maxLength: 60 }),
        fc.array(bucket, { maxLength: 60 }),
        (buckets, earlier) => {
          const measured = (list: typeof buckets) => ({
            requests: list.map(({ times, counters }, second) => {
              const requests = requestsOf(second, times)
              // Never more answers with a time than requests.
              requests.counters.set(counters)
              requests.counters[0] = Math.max(times.length, counters[0] ?? 0)
              return requests
            }),
            users: list.map(({ users, profile }, second) => {
              const made = usersOf(second, users)
              made.counters.set(profile)
              return made
            }),
          })
          const run = measured(buckets)
          const actions = run.requests
            .slice(0, 3)
            .map((each, index) => ({ name: `a${index}`, holdsOthers: index === 2, bucket: each }))
          const insights = found(runOf({ ...run, actions }), runOf({ ...measured(earlier), id: 'bnr_0' }))
          for (const { title, detail, evidence } of insights) {
            expect(title).toMatch(/\.$/)
            expect(`${title} ${detail}`).not.toMatch(/NaN|Infinity|undefined/)
            expect(evidence.length).toBeGreaterThan(0)
            expect(evidence.filter(({ value }) => !Number.isFinite(value))).toEqual([])
          }
          const levels = insights.map(({ level }) => insightLevels.indexOf(level))
          expect(levels).toEqual(levels.toSorted((a, b) => b - a))
        },
      ),
      { numRuns: 300, seed: 6 },
    )
  })
})
