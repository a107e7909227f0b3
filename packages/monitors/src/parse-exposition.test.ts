import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ExpositionError } from '@flamegate/live'
import { parseExposition } from './parse-exposition.ts'
import type { Reading } from './reading.ts'

const read = (text: string) => parseExposition(text).map(({ name, value, kind }) => [name, value, kind])

// https://prometheus.io/docs/instrumenting/exposition_formats/#text-format-example, without the line of indentation.
const documented = String.raw`
# HELP http_requests_total The total number of HTTP requests.
# TYPE http_requests_total counter
http_requests_total{method="post",code="200"} 1027 1395066363000
http_requests_total{method="post",code="400"}    3 1395066363000

# Escaping in label values:
msdos_file_access_time_seconds{path="C:\\DIR\\FILE.TXT",error="Cannot find file:\n\"FILE.TXT\""} 1.458255915e9

# Minimalistic line:
metric_without_timestamp_and_labels 12.47

# A weird metric from before the epoch:
something_weird{problem="division by zero"} +Inf -3982045

# A histogram, which has a pretty complex representation in the text format:
# HELP http_request_duration_seconds A histogram of the request duration.
# TYPE http_request_duration_seconds histogram
http_request_duration_seconds_bucket{le="0.05"} 24054
http_request_duration_seconds_bucket{le="+Inf"} 144320
http_request_duration_seconds_sum 53423
http_request_duration_seconds_count 144320

# Finally a summary, which has a complex representation, too:
# HELP rpc_duration_seconds A summary of the RPC duration in seconds.
# TYPE rpc_duration_seconds summary
rpc_duration_seconds{quantile="0.01"} 3102
rpc_duration_seconds{quantile="0.5"} 4773
rpc_duration_seconds_sum 1.7560473e+07
rpc_duration_seconds_count 2693
`

test('the example of the text format is read as it is meant', () => {
  expect(read(documented)).toEqual([
    ['http_requests_total{method="post",code="200"}', 1027, 'counter'],
    ['http_requests_total{method="post",code="400"}', 3, 'counter'],
    [
      String.raw`msdos_file_access_time_seconds{path="C:\\DIR\\FILE.TXT",error="Cannot find file:\n\"FILE.TXT\""}`,
      1458255915,
      'gauge',
    ],
    ['metric_without_timestamp_and_labels', 12.47, 'gauge'],
    ['http_request_duration_seconds_bucket{le="0.05"}', 24054, 'counter'],
    ['http_request_duration_seconds_bucket{le="+Inf"}', 144320, 'counter'],
    ['http_request_duration_seconds_sum', 53423, 'counter'],
    ['http_request_duration_seconds_count', 144320, 'counter'],
    ['rpc_duration_seconds{quantile="0.01"}', 3102, 'gauge'],
    ['rpc_duration_seconds{quantile="0.5"}', 4773, 'gauge'],
    ['rpc_duration_seconds_sum', 17560473, 'counter'],
    ['rpc_duration_seconds_count', 2693, 'counter'],
  ])
  const unusual = parseExposition(documented).filter(({ isUsual }) => !isUsual)
  expect(unusual.map(({ name }) => name.split('{')[0])).toEqual([
    'http_request_duration_seconds_bucket',
    'http_request_duration_seconds_bucket',
  ])
})

// https://prometheus.io/docs/specs/om/open_metrics_spec/#overall-structure, and its exemplars.
test('OpenMetrics is read, and nothing behind its end', () => {
  const text = `# TYPE acme_http_router_request_seconds summary
# UNIT acme_http_router_request_seconds seconds
# HELP acme_http_router_request_seconds Latency though all of ACME's HTTP request router.
acme_http_router_request_seconds_sum{path="/api/v1",method="GET"} 9036.32
acme_http_router_request_seconds_count{path="/api/v1",method="GET"} 807283.0
acme_http_router_request_seconds_created{path="/api/v1",method="GET"} 1605281325.0
# TYPE go_goroutines gauge
go_goroutines 69
# TYPE process_cpu_seconds counter
process_cpu_seconds_total 4.20072246e+06
# TYPE foo histogram
foo_bucket{le="0.1"} 8.0 # {} 0.054
foo_bucket{le="1"} 11.0 1520879607.789 # {trace_id="KOO5S4vxi0o"} 0.67
# EOF
behind 1`
  expect(read(text)).toEqual([
    ['acme_http_router_request_seconds_sum{path="/api/v1",method="GET"}', 9036.32, 'counter'],
    ['acme_http_router_request_seconds_count{path="/api/v1",method="GET"}', 807283, 'counter'],
    ['acme_http_router_request_seconds_created{path="/api/v1",method="GET"}', 1605281325, 'gauge'],
    ['go_goroutines', 69, 'gauge'],
    ['process_cpu_seconds_total', 4200722.46, 'counter'],
    ['foo_bucket{le="0.1"}', 8, 'counter'],
    ['foo_bucket{le="1"}', 11, 'counter'],
  ])
})

test('names in quotes are read, and commas at the end', () => {
  expect(read('# TYPE "my.metric" counter\n{"my.metric","a.b"="c",} 1\nup{a="1",} 2')).toEqual([
    ['my.metric{a.b="c"}', 1, 'counter'],
    ['up{a="1"}', 2, 'gauge'],
  ])
})

test.each([
  ['<html>', 'no name of a metric'],
  ['up', 'no value'],
  ['up one', 'one is no number'],
  ['up{a} 1', 'no = after'],
  ['up{a=1} 1', 'no value of a label in quotes'],
  ['up{a="1"', 'no comma'],
  ['up 1 2 3 4', 'more than'],
])('%s is refused with its line', (line, words) => {
  expect(() => parseExposition(`fine 1\n${line}`)).toThrow(
    `Line 2 is not in the Prometheus text format: ${words}`,
  )
})

test('any text is read or refused', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '"',
    '\\',
    '=',
    ',',
    ' ',
    '\n',
    '#',
    '# TYPE ',
    'up',
    '1',
    '+Inf',
    'a',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces).map((all) => all.join('')),
      ),
      (text) => {
        expect(readOrRefused(text).every(({ value }) => Number.isFinite(value))).toBe(true)
      },
    ),
  )
})

/** @throws whatever is no ExpositionError */
function readOrRefused(text: string): Reading[] {
  try {
    return parseExposition(text)
  } catch (error) {
    if (error instanceof ExpositionError) return []
    throw error
  }
}
