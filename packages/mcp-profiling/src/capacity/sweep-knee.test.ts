import { expect, test } from 'vitest'
import type { McpReport } from '../report.ts'
import { sweepKnee } from './sweep-knee.ts'

function sweep(rates: Record<number, number>): McpReport['sweep'] {
  return Object.entries(rates).map(([concurrent, requestsPerSecond]) => ({
    concurrent: Number(concurrent),
    targetRps: null,
    requestsPerSecond,
    p50Ms: 10,
    p95Ms: 20,
    p99Ms: 30,
    errorRate: 0,
    cpuPercent: null,
  }))
}

test('sweepKnee() finds where throughput stops growing, whatever the noise beyond', () => {
  expect(sweepKnee(sweep({ 1: 100, 2: 198, 4: 390, 8: 402, 16: 396, 32: 404 }))).toMatchObject({
    outcome: 'seen',
    concurrent: 4,
    requestsPerSecond: 390,
  })
})

test('sweepKnee() sees none while throughput grows', () => {
  expect(sweepKnee(sweep({ 1: 100, 2: 195, 4: 370, 8: 690 }))).toMatchObject({
    outcome: 'none',
    concurrent: 8,
  })
})

test('sweepKnee() does not guess from three points, or from none that answered', () => {
  expect(sweepKnee(sweep({ 1: 100, 2: 100, 4: 100 }))).toMatchObject({ outcome: 'unknown' })
  expect(sweepKnee(sweep({ 1: 0, 2: 0, 4: 0, 8: 0 }))).toMatchObject({ outcome: 'unknown' })
})
