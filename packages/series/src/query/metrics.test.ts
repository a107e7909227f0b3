import { describe, expect, test } from 'vitest'
import { histogramOf } from '../testing/make-ticks.ts'
import { actionCounters, type ActionCounter } from '../tick.ts'
import type { RequestBucket } from './buckets.ts'
import {
  apdexOf,
  chartPoints,
  errorsByClass,
  phaseMeans,
  requestMetrics,
  shareOfTimesWithin,
  totalOf,
} from './metrics.ts'

const bucket = (
  counters: Partial<Record<ActionCounter, number>>,
  service: number[] = [],
  response = service,
): RequestBucket => ({
  second: 60,
  seconds: 10,
  counters: Float64Array.from(actionCounters, (name) => counters[name] ?? 0),
  serviceTime: histogramOf(service),
  responseTime: histogramOf(response),
})

const busy = bucket(
  {
    count: 5,
    error_timeout: 1,
    error_status_5xx: 2,
    status_2xx: 2,
    sent_bytes: 500,
    received_bytes: 5_000,
    connections_opened: 3,
    dns_us: 50,
    connect_us: 100,
    tls_us: 150,
    wait_us: 5_000,
    download_us: 500,
  },
  [100, 200, 300, 400],
  [100, 200, 300, 1_400],
)
const idle = bucket({})

describe('metrics of requests', () => {
  test('are counts, rates per second, shares and times', () => {
    const all = Object.entries(requestMetrics).map(([name, metric]) => [name, metric(busy, 'response')])
    expect(Object.fromEntries(all)).toEqual({
      count: 5,
      rate: 0.5,
      errors: 3,
      error_rate: 0.3,
      error_share: 0.6,
      sent_bytes: 500,
      sent_bytes_rate: 50,
      received_bytes: 5_000,
      received_bytes_rate: 500,
      connections_opened: 3,
      min: 100,
      mean: 500,
      deviation: expect.closeTo(524.404, 3),
      p50: 200,
      p75: 300,
      p90: 1_400,
      p95: 1_400,
      p99: 1_400,
      'p99.9': 1_400,
      max: 1_400,
    })
    expect(requestMetrics.max(busy, 'service')).toBe(400)
  })

  test('of no requests are nothing, or not there', () => {
    expect(requestMetrics.rate(idle)).toBe(0)
    expect([requestMetrics.error_share(idle), requestMetrics.p95(idle, 'service')]).toEqual([null, null])
    expect([
      phaseMeans(idle),
      apdexOf(idle, 100),
      shareOfTimesWithin(idle, 100),
      errorsByClass(idle),
    ]).toEqual([null, null, null, []])
    expect(totalOf([])).toBeUndefined()
  })

  test('errors by class come with their share of all errors, the most frequent first', () => {
    expect(errorsByClass(busy)).toEqual([
      { class: 'status_5xx', count: 2, share: 2 / 3 },
      { class: 'timeout', count: 1, share: 1 / 3 },
    ])
  })

  test('phases are means over all requests', () => {
    expect(phaseMeans(busy)).toEqual({ dns: 10, connect: 20, tls: 30, wait: 1_000, download: 100 })
  })

  test('Apdex counts those without an answer as too slow', () => {
    // Two within 250 µs, one within a millisecond, one beyond, one without an answer.
    expect(apdexOf(busy, 250)).toBeCloseTo((2 + 0.5) / 5)
    expect(apdexOf(busy, 250, 'service')).toBeCloseTo((2 + 1) / 5)
    expect(shareOfTimesWithin(busy, 300)).toBe(0.75)
  })

  test('a total is that of the sums, never of percentiles', () => {
    const few = bucket({ count: 1 }, [10_000])
    const total = totalOf([busy, few])
    if (total === undefined) throw new Error('There is a total')
    expect(requestMetrics.p50(total, 'service')).toBe(300)
    expect([requestMetrics.count(total), requestMetrics.rate(total), total.second]).toEqual([6, 0.3, 60])
  })

  test('a chart has a point for each bucket', () => {
    expect(chartPoints([busy, idle], 'p50', 'service')).toEqual([
      { second: 60, value: 200 },
      { second: 60, value: null },
    ])
  })
})
