import { expect, test } from 'vitest'
import { otlpReceived } from './received.ts'

const resource = (service: string) => ({
  attributes: [{ key: 'service.name', value: { stringValue: service } }],
})
const spans = (...ids: readonly string[]) =>
  ids.map((spanId) => ({
    ...(spanId === '' ? {} : { traceId: 'aa', spanId }),
    name: 'pay',
    startTimeUnixNano: '1',
    endTimeUnixNano: '2',
  }))
const traces = (ofService: Record<string, readonly string[]>) =>
  otlpReceived('traces', {
    resourceSpans: Object.entries(ofService).map(([service, ids]) => ({
      resource: resource(service),
      scopeSpans: [{ spans: spans(...ids) }],
    })),
  })
const sum = (temporality: number, times: readonly string[], name = 'orders') => ({
  name,
  sum: {
    aggregationTemporality: temporality,
    isMonotonic: true,
    dataPoints: times.map((timeUnixNano) => ({ startTimeUnixNano: '5', timeUnixNano, asInt: '3' })),
  },
})
const metrics = (...told: readonly object[]) =>
  otlpReceived('metrics', {
    resourceMetrics: [{ resource: resource('shop'), scopeMetrics: [{ metrics: told }] }],
  })
const [delta, cumulative] = [1, 2]

test('spans are told from others by their ids, program by program', () => {
  const [shop, bank] = traces({ shop: ['01', '02'], bank: ['03'] })
  const [again] = traces({ shop: ['01', '02'] })
  const [others] = traces({ shop: ['01', '04'] })
  expect(again?.identity).toBe(shop?.identity)
  expect(new Set([shop, bank, others].map((each) => each?.identity)).size).toBe(3)
  expect(shop?.identity).toBeDefined()
})

test('differences are told from others by their times, totals need not be', () => {
  const [first] = metrics(sum(delta, ['1000000']), sum(cumulative, ['1000000'], 'all'))
  const [again] = metrics(sum(delta, ['1000000']), sum(cumulative, ['7000000'], 'all'))
  const [next] = metrics(sum(delta, ['2000000']))
  expect(first?.identity).toBeDefined()
  expect(again?.identity).toBe(first?.identity)
  expect(next?.identity).not.toBe(first?.identity)
  expect(metrics(sum(cumulative, ['1000000']))[0]?.identity).toBeUndefined()
})

test('as many parts of one program as a request holds are read, each but once', () => {
  // Were what came before taken along with each part, this would take longer than a test may.
  const first = { scopeSpans: [{ spans: Array.from({ length: 50_000 }, () => ({ kind: 2 })) }] }
  const resourceSpans = [first, ...Array.from({ length: 400_000 }, () => ({}))]
  const [only, ...others] = otlpReceived('traces', { resourceSpans })
  expect(only?.calls).toHaveLength(100_000)
  expect(others).toEqual([])
})

test('of what has no ids or no time nobody can know, with all that came with it', () => {
  expect(traces({ shop: ['01', ''] })[0]?.identity).toBeUndefined()
  expect(metrics(sum(delta, ['1000000', '0']))[0]?.identity).toBeUndefined()
  const twoParts = otlpReceived('traces', {
    resourceSpans: [['01'], ['']].map((ids) => ({
      resource: resource('shop'),
      scopeSpans: [{ spans: spans(...ids) }],
    })),
  })
  expect(twoParts.map(({ identity }) => identity)).toEqual([undefined])
})
