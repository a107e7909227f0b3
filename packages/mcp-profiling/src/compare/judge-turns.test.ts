import { expect, test } from 'vitest'
import type { McpReport } from '../report.ts'
import { simulatedSessions, type SessionNoise } from '../testing/simulated-sessions.ts'
import { judgeTurns, turnsLooks } from './judge-turns.ts'

const noise: SessionNoise = {
  call: 0.3,
  block: 0.03,
  kept: 0.7,
  drift: 0.005,
  disturbed: 0.1,
  secondMode: 0.1,
  session: 0,
}
const quiet: SessionNoise = { ...noise, call: 0.1, block: 0.005, disturbed: 0, secondMode: 0 }
const pairsMax = 40

/** As a command looks at it while it is measured: the pairs at which it ended, and what it said. */
function ended(of: SessionNoise, factor: number, seed: number) {
  const { base, head } = simulatedSessions(of, {
    blocks: pairsMax,
    callsPerBlock: 60,
    factor,
    seed,
    isInterleaved: true,
  })
  for (let pairs = turnsLooks.first; ; pairs += turnsLooks.every) {
    const isLast = pairs >= pairsMax
    const judged = judgeTurns(until(base, pairs), until(head, pairs), { thresholdPercent: 5, isLast })
    if (isLast || judged.isDecided) return { pairs, ...judged }
  }
}

/** The report after so many pairs; of its calls only the means of blocks are compared here. */
function until(report: McpReport, pairs: number): McpReport {
  const turn = { durationMs: 1000, ended: 100, cpuMs: 500, rssBytes: 50_000_000 }
  return {
    ...report,
    turns: Array.from({ length: pairs }, () => turn),
    operations: report.operations.map((operation) => ({
      ...operation,
      latency: { slots: [], counts: [] },
      blockMeansMs: operation.blockMeansMs.slice(0, pairs),
    })),
  }
}

test('looking often raises at most one false alarm in twenty, and finds 10 percent in nineteen', () => {
  for (const each of [quiet, noise]) {
    const alarms = (factor: number) =>
      Array.from({ length: 20 }, (_, at) => ended(each, factor, at + 1)).filter(
        ({ comparison }) => comparison.regressions.length > 0,
      ).length
    expect(alarms(1)).toBeLessThanOrEqual(1)
    expect(alarms(1.1)).toBeGreaterThanOrEqual(19)
  }
})

test('it ends early when it is sure of a change or of none, and says how many pairs there were', () => {
  for (const [factor, verdict] of [
    [1, 'same'],
    [1.3, 'slower'],
    [0.7, 'faster'],
  ] as const) {
    const { pairs, comparison, isDecided } = ended(quiet, factor, 3)
    expect(pairs).toBeLessThanOrEqual(20)
    expect(isDecided).toBe(true)
    expect(comparison).toMatchObject({ verdict, confidence: 0.999 })
    expect(comparison.notes[0]).toBe(
      `Measured in ${pairs} pairs of blocks, in turns. More would change nothing.`,
    )
  }
})

test('what cannot be told says how many pairs would tell it', () => {
  const { pairs, comparison, isDecided } = ended({ ...noise, block: 0.4, kept: 0 }, 1, 4)
  expect(pairs).toBe(pairsMax)
  expect(isDecided).toBe(false)
  expect(comparison).toMatchObject({ verdict: 'cannot_tell', confidence: 0.98 })
  expect(comparison.notes[0]).toMatch(
    /As noisy as it was, about \d{3,} would tell a change of 5 % from none\./,
  )
})

test('with another number of calls at a time the throughput is judged, and times are not', () => {
  const { base, head } = simulatedSessions(quiet, {
    blocks: 10,
    callsPerBlock: 60,
    factor: 2,
    seed: 1,
    isInterleaved: true,
  })
  const faster = until(head, 10)
  const turns = faster.turns?.map((turn) => ({ ...turn, ended: 150 })) ?? []
  const more = { ...faster, turns, load: faster.load && { ...faster.load, concurrent: 8 } }
  const { comparison, isDecided } = judgeTurns(until(base, 10), more, { thresholdPercent: 5, isLast: false })
  expect(isDecided).toBe(true)
  expect(comparison.verdict).toBe('faster')
  expect(comparison.operations[0]?.metrics[0]).toMatchObject({ metric: 'mean_ms', verdict: 'cannot_tell' })
})
