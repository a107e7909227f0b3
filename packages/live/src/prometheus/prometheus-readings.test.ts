import { expect, test } from 'vitest'
import { livePush } from '../push.ts'
import { percentileIn } from '../questions/histogram.ts'
import { prometheusReadings } from './prometheus-readings.ts'
import { readExposition } from './read-exposition.ts'

const read = (text: string) => prometheusReadings(readExposition(text), 1000)

test('counters count, gauges stand, and what has no type is told by its name', () => {
  const text = `# TYPE http_requests_total counter
http_requests_total{method="post",code="200"} 1027
# TYPE temperature gauge
temperature -3.5
jobs_total 4
queue_length 7
# TYPE process_info info
process_info{version="1.2"} 1`
  expect(read(text)).toEqual([
    {
      name: 'http_requests_total{method="post",code="200"}',
      kind: 'counter',
      counters: { added: 1027 },
      unit: '',
      atMs: 1000,
      isDelta: false,
    },
    expect.objectContaining({ name: 'temperature', kind: 'gauge', levels: { value: -3.5 } }),
    expect.objectContaining({ name: 'jobs_total', kind: 'counter', counters: { added: 4 } }),
    expect.objectContaining({ name: 'queue_length', kind: 'gauge', levels: { value: 7 } }),
    expect.objectContaining({ name: 'process_info{version="1.2"}', levels: { value: 1 } }),
  ])
})

test('a histogram of seconds is a distribution of nanoseconds, one for its other labels', () => {
  const text = `# TYPE latency_seconds histogram
latency_seconds_bucket{path="/a",le="0.1"} 50
latency_seconds_bucket{path="/a",le="0.2"} 90
latency_seconds_bucket{path="/a",le="+Inf"} 100
latency_seconds_sum{path="/a"} 12.5
latency_seconds_count{path="/a"} 100
latency_seconds_created{path="/a"} 1605281325
latency_seconds_bucket{path="/b",le="+Inf"} 1
latency_seconds_sum{path="/b"} 1
latency_seconds_count{path="/b"} 1
latency_seconds_errors_total 3`
  const [errors, a, b, ...others] = read(text)
  expect(others).toEqual([])
  expect(errors).toMatchObject({ name: 'latency_seconds_errors_total', levels: { value: 3 } })
  const { count, total, histogram } = a!.distributions!['duration']!
  expect([a!.name, a!.kind, count, total]).toEqual(['latency_seconds{path="/a"}', 'histogram', 100, 12.5e9])
  // Half of all are below a tenth of a second, nine of ten below a fifth, and the last tenth is somewhere above.
  expect(percentileIn(histogram!, 25)! / 50e6).toBeCloseTo(1, 0)
  expect(percentileIn(histogram!, 50)).toBeLessThan(0.1e9)
  expect(percentileIn(histogram!, 51)).toBeGreaterThan(0.1e9)
  expect(percentileIn(histogram!, 90)).toBeLessThan(0.2e9)
  expect(percentileIn(histogram!, 99)! / 0.2e9).toBeCloseTo(1, 1)
  expect(b!.distributions!['duration']).toMatchObject({ count: 1, total: 1e9 })
})

test('a bound of many years is taken for the longest time that is counted', () => {
  const text = `# TYPE age_seconds histogram
age_seconds_bucket{le="1"} 1
age_seconds_bucket{le="1e+10"} 2
age_seconds_bucket{le="+Inf"} 3
age_seconds_sum 2e10
age_seconds_count 3`
  const [age] = read(text)
  const { name, distributions } = age!
  const gauges = { status: 'on', items: [{ id: name, name, distributions }] }
  const push = { session: 'prometheus-1', sequence: 0, at: 1000, sections: { gauges } }
  expect(livePush.safeParse(push).error).toBeUndefined()
  expect(percentileIn(distributions!['duration']!.histogram!, 99)).toBeGreaterThan(2 ** 57)
})

test('a summary tells its own percentiles; what is neither time nor size is counted', () => {
  const text = `# TYPE rpc_bytes summary
rpc_bytes{quantile="0.5"} 512
rpc_bytes{quantile="0.999"} 4096
rpc_bytes{quantile="1"} NaN
rpc_bytes_sum 100000
rpc_bytes_count 150
# TYPE items histogram
items_bucket{le="5"} 2
items_bucket{le="+Inf"} 3
items_sum 20
items_count 3`
  expect(read(text)).toMatchObject([
    {
      name: 'rpc_bytes',
      kind: 'summary',
      distributions: { size: { count: 150, total: 100000, percentiles: { '50': 512, '99.9': 4096 } } },
    },
    { name: 'items', kind: 'histogram', counters: { count: 3, sum: 20 } },
  ])
})
