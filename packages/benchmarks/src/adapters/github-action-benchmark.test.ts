import { describe, expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

const custom = sample('github_action_benchmark', 'custom.json')

describe('custom lists', () => {
  test('which way is better is guessed by the unit, and the guess is told', () => {
    const { results, warnings } = readBenchmarkResults(custom)
    expect(results.map(({ uri, value, unit, betterWhen }) => [uri, value, unit, betterWhen])).toEqual([
      ['join', 8250, 'ns', 'lower'],
      ['requests', 5200, 'req/s', 'higher'],
      ['memory', 64.5, 'MB', 'lower'],
      ['cache hits', 97.5, '%', 'higher'],
    ])
    expect(warnings[0]).toMatch(/does not tell which way is better/)
  })

  test.each([
    ['github_action_benchmark_smaller', 'lower'],
    ['github_action_benchmark_bigger', 'higher'],
  ] as const)('%s says it', (adapter, direction) => {
    const { results, warnings } = readBenchmarkResults(custom, { adapter })
    expect(new Set(results.map(({ betterWhen }) => betterWhen))).toEqual(new Set([direction]))
    expect(warnings.join()).not.toMatch(/which way/)
  })

  test('a range is kept as bounds, where it is one', () => {
    const { results, warnings } = readBenchmarkResults(custom)
    expect(results.map(({ stats }) => stats)).toEqual([
      { low: 7750, high: 8750 },
      { low: 5044, high: 5356 },
      {},
      {},
    ])
    expect(warnings).toContain('$[2].range: the range "60...70" is not kept.')
    expect(warnings).toContain('$[1].extra: texts under "extra" are not kept.')
  })
})

test('values that are negative or no number are left out, and told', () => {
  const list = [
    { name: 'a', unit: 'ns', value: -1 },
    { name: 'b', unit: 'ns', value: null },
    { name: 'c', unit: 'ns', value: 2 },
  ]
  const { results, warnings } = readBenchmarkResults(utf8(JSON.stringify(list)), {
    adapter: 'github_action_benchmark_smaller',
  })
  expect(results.map(({ uri }) => uri)).toEqual(['c'])
  expect(warnings).toEqual([
    '$[0].value: the value of "a" is negative, or no number, ignored.',
    '$[1].value: the value of "b" is negative, or no number, ignored.',
  ])
  expect(readBenchmarkResults(utf8(JSON.stringify(list))).adapters).toEqual(['github_action_benchmark'])
})

function historyOf(tool: string, unit: string, value = 5): Uint8Array {
  const entry = { date: 1, tool, benches: [{ name: 'a', unit, value }] }
  return utf8(JSON.stringify({ lastUpdate: 1, entries: { Suite: [entry] } }))
}

describe('the history', () => {
  test.each([
    ['jmh', 'ops/s', 'higher'],
    ['jmh', 'ops/us', 'higher'],
    ['jmh', 'us/op', 'lower'],
    ['go', 'MB/s', 'higher'],
    ['go', 'allocs/op', 'lower'],
    ['customSmallerIsBetter', 'errors/s', 'lower'],
  ])('of %s, %s is better when %s', (tool, unit, betterWhen) => {
    expect(readBenchmarkResults(historyOf(tool, unit)).results).toMatchObject([{ betterWhen }])
  })

  test('a rate of zero is left out, and told', () => {
    const { results, warnings } = readBenchmarkResults(historyOf('pytest', 'iter/sec', 0))
    expect(results).toEqual([])
    expect(warnings[0]).toMatch(/the value of "a" is a rate of zero, ignored/)
  })

  test('of each suite the newest entry is read; what its tool measured tells the direction', () => {
    const { results } = readBenchmarkResults(sample('github_action_benchmark', 'data.js.txt'))
    expect(results.map(({ uri, value, unit, betterWhen }) => [uri, value, unit, betterWhen])).toEqual([
      ['Rust::join', 110, 'ns', 'lower'],
      ['Rust::sort', 25_000, 'ns', 'lower'],
      // 50,000 iterations in a second
      ['Python::tests/test_text.py::test_join', 20_000, 'ns', 'lower'],
      ['Score::score', 70, 'points', 'higher'],
    ])
  })

  test('data.js and the JSON of external-data-json-path are the same', () => {
    expect(readBenchmarkResults(sample('github_action_benchmark', 'history.json'))).toEqual(
      readBenchmarkResults(sample('github_action_benchmark', 'data.js.txt')),
    )
  })

  test('broken JSON is refused', () => {
    expect(() => readBenchmarkResults(utf8('window.BENCHMARK_DATA = {"entries": '))).toThrow(/Not valid JSON/)
  })
})
