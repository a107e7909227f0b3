import { describe, expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

function valuesOf(file: string) {
  return readBenchmarkResults(sample('asv', file)).results.map(({ uri, value, unit }) => [uri, value, unit])
}

function runOf(environment: string, value: string): string {
  return `[50.00%] ·· Benchmarking ${environment}\n[75.00%] ··· a.time_b   ${value}\n`
}

describe('asv run', () => {
  test('every line is a benchmark, every table one for each combination', () => {
    expect(valuesOf('run.txt')).toEqual([
      ['suite.TimeJoin.time_join(10, up)', 1500, 'ns'],
      ['suite.TimeJoin.time_join(1000, up)', 150_000, 'ns'],
      ['suite.TimeJoin.time_join(1000, down)', 160_000, 'ns'],
      ['suite.TimeJoin.time_sort(10)', 25e6, 'ns'],
      ['suite.TimeJoin.time_sort(100)', 2.5e9, 'ns'],
      ['suite.mem_list', 2420, 'B'],
      ['suite.peakmem_list', 24.2e6, 'B'],
      ['suite.track_size', 42.5, 'chunks'],
    ])
  })

  test('the spread is half the distance of the quartiles', () => {
    const [first] = readBenchmarkResults(sample('asv', 'run.txt')).results
    expect(first).toMatchObject({ statistic: 'median', stats: { q1: 1420, q3: 1580 } })
  })

  test('what failed is told with its line', () => {
    expect(readBenchmarkResults(sample('asv', 'run.txt')).warnings).toEqual([
      `line 18: "suite.TimeJoin.time_join(10, down)" has no value: "failed".`,
      'line 29: "suite.time_broken" has no value: "failed".',
    ])
  })

  test('one environment is a fact about the run, several distinguish the benchmarks', () => {
    const one = readBenchmarkResults(utf8(runOf('py3.11', '1.0±0ms')))
    expect(one).toMatchObject({ environment: { runtime: 'py3.11' }, results: [{ uri: 'a.time_b' }] })
    const two = readBenchmarkResults(utf8(runOf('py3.11', '1.0±0ms') + runOf('py3.12', '2.0±0ms')))
    expect(two.environment).toEqual({})
    expect(two.results.map(({ uri, value }) => [uri, value])).toEqual([
      ['a.time_b [py3.11]', 1e6],
      ['a.time_b [py3.12]', 2e6],
    ])
  })
})

describe('result files', () => {
  test('version 2: combinations are named as in the text, with the last parameter changing fastest', () => {
    expect(valuesOf('result-file-2.json')).toEqual([
      ['suite.TimeJoin.time_join(10, up)', 1500, 'ns'],
      ['suite.TimeJoin.time_join(1000, up)', 150_000, 'ns'],
      ['suite.TimeJoin.time_join(1000, down)', 160_000, 'ns'],
      ['suite.TimeJoin.time_sort', 25_000, 'ns'],
      ['suite.mem_list', 2420, 'B'],
      ['suite.peakmem_list', 24.2e6, 'B'],
      ['suite.track_size', 42.5, ''],
    ])
  })

  test('samples are rounds; without them quartiles and bounds are kept', () => {
    const { results, environment } = readBenchmarkResults(sample('asv', 'result-file-2.json'))
    expect(results[3]?.roundValues).toHaveLength(4)
    expect(results[0]?.stats.rounds).toBe(10)
    expect(results[0]?.stats.low).toBeCloseTo(1400, 6)
    expect(results[0]?.stats.high).toBeCloseTo(1700, 6)
    expect(results[0]?.stats.q3).toBeCloseTo(1600, 6)
    expect(environment).toMatchObject({ cpu: 'AMD EPYC', runtime: 'Python 3.11', 'library:numpy': '1.26' })
  })

  test('what is below zero is left out, and told', () => {
    const file = {
      commit_hash: 'abc',
      params: {},
      result_columns: ['result', 'params', 'samples'],
      results: {
        'suite.track_balance': [[-3], []],
        'suite.time_keys': [[1], [], [[1, -1]]],
        'suite.track_size': [[7], []],
      },
    }
    const { results, warnings } = readBenchmarkResults(utf8(JSON.stringify(file)))
    expect(results.map(({ uri, value }) => [uri, value])).toEqual([['suite.track_size', 7]])
    expect(warnings).toEqual([
      '$.results["suite.track_balance"][0][0]: "suite.track_balance" is negative, or no number, ignored.',
      '$.results["suite.time_keys"][0][0]: "suite.time_keys" is negative, or no number, ignored.',
    ])
  })

  test('version 1: numbers, and objects with statistics', () => {
    const { results, warnings } = readBenchmarkResults(sample('asv', 'result-file-1.json'))
    expect(results.map(({ uri }) => uri)).toEqual([
      'suite.time_keys',
      'suite.mem_list',
      'suite.time_join(10)',
      'suite.time_join(1000)',
    ])
    expect(results[0]?.value).toBeCloseTo(11_200, 6)
    expect(results[2]?.stats.rounds).toBe(10)
    expect(warnings).toEqual(['$.results["suite.time_broken"]: "suite.time_broken" failed.'])
  })
})

test('what asv 0.6 printed and the file that it kept are the same benchmarks', () => {
  const printed = readBenchmarkResults(sample('asv', 'recorded-run.txt'))
  const kept = readBenchmarkResults(sample('asv', 'recorded-result.json'))
  expect(printed.results.map(({ uri }) => uri)).toEqual(kept.results.map(({ uri }) => uri))
  expect(kept.results.map(({ uri }) => uri).slice(0, 3)).toEqual([
    'suite.TimeJoin.time_join(10, up)',
    'suite.TimeJoin.time_join(1000, up)',
    'suite.TimeJoin.time_join(1000, down)',
  ])
  for (const [index, { value }] of printed.results.entries()) {
    // Three digits are printed.
    expect(value / (kept.results[index]?.value ?? 0)).toBeCloseTo(1, 2)
  }
  // The stack below the one that failed is no line of its own.
  expect(printed.warnings).toEqual([
    'line 14: "suite.TimeJoin.time_join(10, down)" has no value: "n/a".',
    'line 28: "suite.time_broken" has no value: "failed".',
  ])
})

test('a table that is cut is told', () => {
  const cut = '[50.00%] ··· a.time_b    ok\n[50.00%] ··· === =====\n              n\n'
  expect(readBenchmarkResults(utf8(cut)).warnings[0]).toBe(
    'the end: the table of "a.time_b" has no end, so none of it is read; it may be cut.',
  )
})
