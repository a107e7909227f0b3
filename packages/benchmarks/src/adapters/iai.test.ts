import { expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

test('cycles are the value, and the counts they were made of are metrics', () => {
  const { results } = readBenchmarkResults(sample('iai', 'two.txt'))
  expect(results.map(({ uri, value }) => [uri, value])).toEqual([
    ['benches/words.rs::join_short', 1954],
    ['benches/words.rs::join_long', 1_210_091],
  ])
  expect(results[0]).toMatchObject({ instrument: 'simulation', metric: 'estimated_cycles', unit: 'cycles' })
  expect(results[0]?.metrics.map(({ name, value }) => [name, value])).toEqual([
    ['instructions', 1203],
    ['l1_hits', 1689],
    ['ll_hits', 4],
    ['ram_hits', 7],
  ])
})

test('a name with nothing below it is named', () => {
  const text = 'warning: slow\nbench_a\n  Instructions:  12\n  L1 Accesses:  20\n'
  const { results, warnings } = readBenchmarkResults(utf8(text))
  expect(results).toMatchObject([{ uri: 'bench_a', metric: 'instructions', value: 12 }])
  expect(warnings).toEqual(['line 1: nothing is counted below it, ignored: "warning: slow".'])
})

test('a count that is none is refused with its line', () => {
  expect(() => readBenchmarkResults(utf8('a\n  L1 Accesses:  1\n  RAM Accesses:  ?\n'))).toThrow(/\(line 3\)/)
})
