import { expect, test } from 'vitest'
import type { BenchResult } from '../ports/index.ts'
import { measuredRun, readingOf, secondsAfterStart, type MadeRequests } from './testing/measured-runs.ts'
import { judgeThresholds } from './thresholds.ts'

const thresholds = ['rate >= 5/s', 'count >= 1', 'sent bytes > 1 kB']
const now = secondsAfterStart(0)

async function statesOf(run: Partial<BenchResult>, requests: readonly MadeRequests[] = []) {
  const scenario = { name: 'Checkout', profiles: [], thresholds }
  const measured = measuredRun(run, requests, { scenario })
  const judged = await judgeThresholds(readingOf([measured]), measured.run, measured.plan, { now })
  return judged.map(({ state }) => state)
}

test.each<[string, Partial<BenchResult>]>([
  ['waits for its agents', { state: 'PENDING', startedAt: null, endedAt: null }],
  ['is about to begin', { state: 'RUNNING', startedAt: secondsAfterStart(3), endedAt: null }],
  ['no agent came to', { state: 'ERROR', startedAt: null }],
  ['was stopped just before it began', { state: 'ABORTED', startedAt: secondsAfterStart(12) }],
])('nothing is breached in a run that %s', async (_, run) => {
  expect(await statesOf(run)).toEqual(['no_data', 'no_data', 'no_data'])
})

test('a run in which nothing was done has breached what asks for something', async () => {
  expect(await statesOf({})).toEqual(['breached', 'breached', 'breached'])
  expect(await statesOf({}, [{ second: 2, count: 50 }])).toEqual(['passed', 'passed', 'passed'])
})

test('what was told after the time to drain counts', async () => {
  const late = { endedAt: secondsAfterStart(20) }
  expect(await statesOf(late, [{ second: 15, count: 50 }])).toEqual(['passed', 'passed', 'passed'])
})
