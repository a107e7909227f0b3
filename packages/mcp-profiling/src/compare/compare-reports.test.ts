import { describe, expect, test } from 'vitest'
import type { McpReport } from '../report.ts'
import { madeOperation, madeReport } from '../testing/made-report.ts'
import { simulatedSessions } from '../testing/simulated-sessions.ts'
import type { SessionNoise } from '../testing/simulated-sessions.ts'
import { blocksNeeded, compareReports } from './compare-reports.ts'

const quiet: SessionNoise = {
  call: 0.2,
  block: 0.01,
  kept: 0.6,
  drift: 0.001,
  disturbed: 0,
  secondMode: 0,
  session: 0.005,
}
const noises: Record<string, SessionNoise> = {
  'a quiet machine': quiet,
  'blocks that are like their neighbours': { ...quiet, block: 0.03, kept: 0.85 },
  'a clock that drifts': { ...quiet, drift: 0.015 },
  'blocks that something else slows': { ...quiet, block: 0.02, disturbed: 0.15 },
  'calls of two kinds': { ...quiet, secondMode: 0.15 },
  'all of it': {
    call: 0.3,
    block: 0.03,
    kept: 0.7,
    drift: 0.005,
    disturbed: 0.1,
    secondMode: 0.1,
    session: 0,
  },
}

/** How many of twenty comparisons say slower. */
function alarms(
  noise: SessionNoise,
  factor: number,
  shape: { blocks: number; isInterleaved: boolean; thresholdPercent: number },
): number {
  return Array.from({ length: 20 }, (_, at) => {
    const { base, head } = simulatedSessions(noise, { ...shape, callsPerBlock: 60, factor, seed: at + 1 })
    return compareReports(base, head, shape).regressions.length > 0
  }).filter(Boolean).length
}

describe('compareReports() of thirty pairs of blocks that ran in turns', () => {
  test.each(Object.entries(noises))(
    'with %s raises at most one false alarm in twenty, and finds 10 percent in nineteen',
    (_, noise) => {
      for (const thresholdPercent of [5, 10]) {
        const shape = { blocks: 30, isInterleaved: true, thresholdPercent }
        expect(alarms(noise, 1, shape)).toBeLessThanOrEqual(1)
        expect(alarms(noise, 1.1, shape)).toBeGreaterThanOrEqual(19)
      }
    },
  )
})

describe('compareReports() of two sessions of forty blocks', () => {
  test('raises at most one false alarm in twenty, whatever the noise', () => {
    for (const noise of Object.values(noises).map((each) => ({
      ...each,
      drift: Math.min(each.drift, 0.005),
      session: 0.015,
    })))
      expect(alarms(noise, 1, { blocks: 40, isInterleaved: false, thresholdPercent: 5 })).toBeLessThanOrEqual(
        1,
      )
  })

  test('finds 10 % in nineteen of twenty on a quiet machine', () => {
    for (const thresholdPercent of [5, 10])
      expect(
        alarms(quiet, 1.1, { blocks: 40, isInterleaved: false, thresholdPercent }),
      ).toBeGreaterThanOrEqual(19)
  })
})

const measured = simulatedSessions(quiet, {
  blocks: 30,
  callsPerBlock: 60,
  factor: 1.2,
  seed: 5,
  isInterleaved: true,
})

test('compareReports() tells the size of the change with its interval, and swapped the other way round', () => {
  const slower = compareReports(measured.base, measured.head, { isInterleaved: true })
  expect(slower.verdict).toBe('slower')
  expect(slower.summary).toMatch(/^Head is slower\. look_up: mean_ms \+2\d\.\d % /)
  const [mean] = slower.operations[0]?.metrics ?? []
  expect(mean).toMatchObject({ metric: 'mean_ms', verdict: 'worse', isCounted: true })
  expect(mean?.lowPercent).toBeLessThan(20)
  expect(mean?.highPercent).toBeGreaterThan(20)
  const faster = compareReports(measured.head, measured.base, { isInterleaved: true })
  expect(faster).toMatchObject({ verdict: 'faster', regressions: [] })
})

test('compareReports() makes no claim about time where processor or load differ, and says why', () => {
  const other = { ...measured.head, machine: { ...measured.head.machine, cpuModel: 'Example 4000' } }
  const comparison = compareReports(measured.base, other, { isInterleaved: true })
  expect(comparison).toMatchObject({ verdict: 'cannot_tell', regressions: [] })
  expect(comparison.notes[0]).toBe('No claim about time: cpu_model differs: Example 3000 and Example 4000.')
  const more = { ...measured.head, load: measured.head.load && { ...measured.head.load, concurrent: 64 } }
  expect(compareReports(measured.base, more).notes[0]).toContain('concurrent_calls differs: 4 and 64')
  const limited = {
    ...measured.head,
    load: measured.head.load && { ...measured.head.load, generatorLimited: 'busy' },
  }
  expect(compareReports(measured.base, limited).verdict).toBe('cannot_tell')
})

test('compareReports() counts more failures, with a few calls by their probability', () => {
  expect(compareReports(failing(0), failing(20)).regressions).toEqual([
    'look_up: error_rate from 0 % to 5 % (0 of 400 and 20 of 400 calls failed)',
  ])
  expect(compareReports(failing(1), failing(3)).regressions).toEqual([])
})

test('compareReports() tells sizes without counting them, and what is on one side only', () => {
  const base = madeReport({ operations: [madeOperation(), madeOperation({ name: 'gone' })] })
  const head = madeReport({
    operations: [madeOperation({ resultTokens: { mean: 440, max: 500 } }), madeOperation({ name: 'added' })],
  })
  const { operations, regressions, notes } = compareReports(base, head)
  expect(operations[0]?.metrics.find(({ metric }) => metric === 'result_tokens')).toMatchObject({
    verdict: 'worse',
    isCounted: false,
    changePercent: 100,
  })
  expect(regressions).toEqual([])
  expect(notes).toEqual(['added was measured in head only.', 'gone was measured in base only.'])
})

test('compareReports() tells memory that doubled', () => {
  const head = madeReport({
    resources: madeReport().resources.map((sample) =>
      Object.assign({}, sample, { rssBytes: 2 * sample.rssBytes }),
    ),
  })
  expect(compareReports(madeReport(), head).regressions).toEqual([
    expect.stringMatching(/^the server: rss_bytes \+100\.0 %/),
  ])
  // More calls leave more garbage: nobody knows what of it is the code's.
  const { load } = head
  if (load === null) throw new Error('There was a load')
  const busier = { ...head, load: { ...load, requestsPerSecond: 2 * load.requestsPerSecond } }
  const compared = compareReports(madeReport(), busier)
  expect(compared.regressions).toEqual([])
  expect(compared.overall.find(({ metric }) => metric === 'rss_bytes')).toMatchObject({
    changePercent: 100,
    verdict: 'not_judged',
    method: 'one answered 2.0 times as many calls meanwhile, and more calls leave more garbage',
  })
})

test('blocksNeeded() asks for more the noisier it is', () => {
  expect(needed(quiet)).toBeLessThan(needed({ ...quiet, block: 0.08 }))
  expect(
    blocksNeeded(compareReports(madeReport({ operations: [] }), madeReport({ operations: [] })), 12),
  ).toBeNull()
})

function failing(count: number): McpReport {
  return madeReport({
    operations: [madeOperation({ failures: [{ kind: 'timeout', code: null, count, message: '' }] })],
  })
}

function needed(noise: SessionNoise): number {
  const { base, head } = simulatedSessions(noise, {
    blocks: 12,
    callsPerBlock: 60,
    factor: 1,
    seed: 3,
    isInterleaved: true,
  })
  return blocksNeeded(compareReports(base, head, { isInterleaved: true }), 12) ?? 0
}
