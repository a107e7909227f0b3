import { expect, test } from 'vitest'
import type { McpReport } from '../report.ts'
import { seededRandom } from '../seeded-random.ts'
import { madeOperation, madeReport } from '../testing/made-report.ts'
import { compareReports } from './compare-reports.ts'

const blocks = 40

/**
 * A session on a machine that is `slowness` times as slow as it could be, more or less from block to block, with a server
 * that takes `factor` times as long.
 */
function session(seed: number, { slowness, factor }: { slowness: number; factor: number }): McpReport {
  const random = seededRandom(seed)
  const noisy = (size: number) => Math.exp(size * (random() - 0.5))
  const pace = Array.from({ length: blocks }, () => slowness * noisy(0.6))
  const means = (ms: number) => pace.map((each) => ms * each * noisy(0.15))
  const cpu = means(8 * factor)
  const made = madeReport({ operations: [madeOperation({ blockMeansMs: means(10 * factor) })] })
  return {
    ...made,
    load: made.load && { ...made.load, othersCpuShare: 0.8 },
    turns: cpu.map((cpuMs) => ({ durationMs: 1000, ended: 1, cpuMs, rssBytes: 80_000_000 })),
    reference: { version: '1', blockMeansMs: means(3), cpuMsPerCall: means(2) },
  }
}

const seeds = Array.from({ length: 20 }, (_, at) => 2 * at + 1)

/** How many of twenty comparisons say that something is worse. */
function alarms(factor: number): number {
  return seeds.filter((seed) => {
    const base = session(seed, { slowness: 1, factor: 1 })
    const head = session(seed + 1, { slowness: 2.5, factor })
    return compareReports(base, head, { thresholdPercent: 10 }).regressions.length > 0
  }).length
}

function quiet(report: McpReport): McpReport {
  return {
    ...report,
    load: report.load && { ...report.load, othersCpuShare: 0.05 },
  }
}

test('with a reference a machine that became slower is no alarm, and a server that did is one', () => {
  expect(alarms(1)).toBeLessThanOrEqual(1)
  expect(alarms(1.1)).toBeGreaterThanOrEqual(19)
})

test('without a reference nothing is claimed about time where others used the machine', () => {
  const [{ reference: _base, ...base }, { reference: _head, ...head }] = [
    session(1, { slowness: 1, factor: 1 }),
    session(2, { slowness: 2.5, factor: 1 }),
  ]
  const comparison = compareReports(base, head)
  expect(comparison).toMatchObject({ verdict: 'cannot_tell', regressions: [] })
  expect(comparison.notes[0]).toContain("others used 80 % of the machine's processors in base")
  expect(compareReports(quiet(base), quiet(head)).verdict).toBe('slower')
})

test('references of other versions or runtimes are not compared', () => {
  const base = session(1, { slowness: 1, factor: 1 })
  const head = session(2, { slowness: 1, factor: 1 })
  const used = (report: McpReport) =>
    compareReports(base, report).operations[0]?.metrics[0]?.method.includes('shares of the reference')
  expect(used(head)).toBe(true)
  expect(used({ ...head, reference: head.reference && { ...head.reference, version: '2' } })).toBe(false)
  expect(used({ ...head, machine: { ...head.machine, runtime: 'Node.js v99' } })).toBe(false)
})
