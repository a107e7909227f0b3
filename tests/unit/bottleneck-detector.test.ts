import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type {
  Bottleneck,
  OptimizationOutcome,
  OptimizationPlan,
  OptimizationResults,
  PerformanceAnalysis,
  PerformanceData,
  PerformanceDiagnosis,
  Recommendation,
} from '@flamegate/profiler'
import { expect, test } from 'vitest'

const program = join(import.meta.dirname, 'mcp-programs/diagnosed-server.ts')

async function told<T>(kind: string): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, kind], {
    maxBuffer: 10_000_000,
  })
  return JSON.parse(stdout)
}

type Told = PerformanceDiagnosis & { data: PerformanceData; suggestions: Recommendation[] }

function of(rule: string, bottlenecks: readonly Bottleneck[]): Bottleneck | undefined {
  return bottlenecks.find((each) => each.rule === rule)
}

test('a faulty server is told what leaks, what is hot and what fails; a healthy one is not', async () => {
  const [faulty, healthy] = await Promise.all([told<Told>('faulty'), told<Told>('healthy')])
  const { bottlenecks, suggestions, data } = faulty
  expect(of('memory_leak', bottlenecks)).toMatchObject({
    type: 'memory',
    priority: 'high',
    subject: expect.stringMatching(/^rememberForEver \(.*diagnosed-server\.ts:\d+\)$/),
  })
  expect(of('errors', bottlenecks)).toMatchObject({
    type: 'other',
    subject: 'order',
    evidence: expect.arrayContaining([{ name: 'message', value: 'out of stock', unit: '' }]),
  })
  const hot = data.hotFunctions.find(({ name }) => name === 'sortEverything')
  expect(hot?.place).toMatch(/diagnosed-server\.ts:\d+$/)
  expect(hot?.totalShare).toBeGreaterThanOrEqual(hot?.selfShare ?? Infinity)
  expect(suggestions.map(({ description }) => description)).toEqual(bottlenecks.map(({ title }) => title))
  expect(suggestions.every(({ actions }) => actions.length > 0)).toBe(true)
  // Calls are counted all the time, whatever share of it stacks are sampled.
  expect(data.operations.find(({ name }) => name === 'tools/call order')).toMatchObject({
    failures: [{ message: 'out of stock', count: expect.any(Number) }],
  })

  const found = healthy.bottlenecks.map(({ rule }) => rule)
  // How late timers are, and how long collections take, is also the work of whatever else runs here.
  expect(found.filter((rule) => rule !== 'event_loop_blocked' && rule !== 'gc_pressure')).toEqual([])
  expect(healthy.performanceScore).toBeGreaterThan(faulty.performanceScore ?? Infinity)
})

test('a setting that helps is applied, measured in turns and kept; others are left with a reason', async () => {
  const { analysis, plan, results, outcome, poolSize } = await told<{
    analysis: PerformanceAnalysis
    plan: OptimizationPlan
    results: OptimizationResults
    outcome: OptimizationOutcome
    poolSize: number
  }>('narrow')
  expect(of('waiting', analysis.bottlenecks)).toMatchObject({ type: 'io', subject: 'query' })
  expect(plan.steps.filter(({ because }) => because.includes('query')).map(({ setting }) => setting)).toEqual(
    ['pool', 'stubborn'],
  )
  expect(results.applied).toContainEqual({ setting: 'pool', from: 2, to: 4 })
  expect(results.refused).toContainEqual({ setting: 'stubborn', reason: 'it stayed at 4.' })
  const ofQuery = outcome.improvements.find(({ operation }) => operation === 'tools/call query')
  expect(ofQuery?.verdict).toBe('better')
  expect(ofQuery?.intervalPercent[0]).toBeLessThan(ofQuery?.changePercent ?? -Infinity)
  expect(ofQuery?.intervalPercent[1]).toBeLessThan(0)
  expect(poolSize).toBe(outcome.applied.length === 0 ? 2 : 4)
  expect(outcome.nextSteps).toContain('stubborn was not changed: it stayed at 4.')
  expect(outcome.recommendations).toEqual(plan.left)
})
