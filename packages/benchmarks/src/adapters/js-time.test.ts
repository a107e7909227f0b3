import { expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

test('timers of one name are rounds', () => {
  const { results, warnings } = readBenchmarkResults(sample('js_time', 'timers.txt'))
  expect(results.map(({ uri, statistic }) => [uri, statistic])).toEqual([
    ['join words', 'median'],
    ['wait: a while', 'single'],
  ])
  expect(results[0]).toMatchObject({ value: 954_000, roundValues: { length: 3 } })
  expect(results[1]?.value).toBe(1156e6)
  expect(warnings).toEqual(['line 5: no timer, ignored: "done".'])
})

test.each([
  ['a: 0.25ms', 250_000],
  ['a: 12714ms - timer ended', 12_714e6],
  ['a: 1:02.500 (m:ss.mmm)', 62.5e9],
  ['a: 2:00:01.000 (h:mm:ss.mmm)', 7201e9],
])('%s', (line, value) => {
  expect(readBenchmarkResults(utf8(line)).results).toMatchObject([{ uri: 'a', value }])
})

test('a log with a timer here and there is not taken for timers, unless it is named so', () => {
  const log = utf8('starting\nlistening\nrequest: 3ms\n')
  expect(() => readBenchmarkResults(log)).toThrow(/None of these wrote the file/)
  expect(readBenchmarkResults(log, { adapter: 'js_time' }).results).toHaveLength(1)
})
