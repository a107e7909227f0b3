import { describe, expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

function read(text: string) {
  return readBenchmarkResults(utf8(text), { adapter: 'gungraun' })
}

describe('what it prints', () => {
  test('the numbers of this run, not of the run before; arguments are no part of the uri', () => {
    const { results } = readBenchmarkResults(sample('gungraun', 'text.txt'))
    expect(results.map(({ uri, name, value }) => [uri, name, value])).toEqual([
      ['words::join_group::join::short', 'join short', 1954],
      ['words::join_group::join::long', 'join long', 1_210_091],
    ])
    expect(results[0]?.metrics).toContainEqual({
      name: 'instructions',
      value: 1203,
      unit: 'instructions',
      betterWhen: 'lower',
    })
  })

  test('DHAT beside callgrind gives metrics; alone it gives the peak memory', () => {
    const { results } = readBenchmarkResults(sample('gungraun', 'tools.txt'))
    const [both, , alone] = results
    expect(both).toMatchObject({ instrument: 'simulation', value: 1954 })
    expect(both?.metrics).toEqual(
      expect.arrayContaining([
        { name: 'peak_memory', value: 480, unit: 'B', betterWhen: 'lower' },
        { name: 'total_allocated', value: 624, unit: 'B', betterWhen: 'lower' },
        { name: 'allocations', value: 13, unit: 'allocations', betterWhen: 'lower' },
        { name: 'l1_hit_rate', value: 99.3529, unit: '%', betterWhen: 'higher' },
        { name: 'cachegrind_instructions', value: 1377, unit: 'instructions', betterWhen: 'lower' },
        { name: 'memcheck_errors', value: 0, unit: 'errors', betterWhen: 'lower' },
      ]),
    )
    expect(alone).toMatchObject({ instrument: 'memory', metric: 'peak_memory', value: 8192, unit: 'B' })
  })

  test('of several threads the total counts', () => {
    const { results } = readBenchmarkResults(sample('gungraun', 'tools.txt'))
    expect(results[1]).toMatchObject({ uri: 'words::sort_group::sort_in_threads', value: 139_975 })
  })

  test.each([':() -> target/release/words', '() -> target/release/words', ':<3>'])(
    'a benchmark without an id is one by itself: %s',
    (description) => {
      const { results } = read(
        `a::b::c id:(1)\n  Instructions:     7|N/A   (*****)\na::b::d ${description}\n  Instructions:     9|N/A   (*****)\n`,
      )
      expect(results.map(({ uri, value }) => [uri, value])).toEqual([
        ['a::b::c::id', 7],
        ['a::b::d', 9],
      ])
    },
  )

  test('in colours', () => {
    const coloured =
      '\u001b[32ma::b::c\u001b[0m \u001b[36mid\u001b[0m\n\u001b[90m  \u001b[0mInstructions: \u001b[1m12\u001b[0m|13 (-7%)'
    expect(read(coloured).results).toMatchObject([{ uri: 'a::b::c::id', metric: 'instructions', value: 12 }])
  })

  test('cycles of cachegrind, when there is no callgrind', () => {
    const text = 'a::b::c id\n  ======= CACHEGRIND ====\n  Estimated Cycles:     7|N/A   (*****)\n'
    expect(read(text).results).toMatchObject([{ value: 7, metric: 'estimated_cycles' }])
  })

  test('errors alone tell no cost', () => {
    expect(read('a::b::c id\n  ======= DRD ====\n  Errors:     7|N/A   (*****)\n').warnings[0]).toBe(
      'line 1: "c id" has no number that tells its cost, ignored.',
    )
  })

  test('a broken number is refused with its line', () => {
    expect(() => read('a::b::c id\n  Instructions:     1.2.3|N/A   (*****)\n')).toThrow(/\(line 2\)/)
  })
})

describe('summaries', () => {
  test('on lines among others: this run of both, of every tool that counts costs', () => {
    const { results, warnings } = readBenchmarkResults(sample('gungraun', 'json-lines.txt'))
    expect(results.map(({ uri, value }) => [uri, value])).toEqual([
      ['words::join_group::join::short', 1954],
      ['words::join_group::join::long', 1_210_091],
    ])
    expect(results[0]?.metrics).toContainEqual({
      name: 'peak_memory',
      value: 480,
      unit: 'B',
      betterWhen: 'lower',
    })
    expect(warnings).toEqual(['words::join_group::join: "join" has no number that tells its cost, ignored.'])
  })

  test('one file says the same as what is printed', () => {
    const [summary] = readBenchmarkResults(sample('gungraun', 'summary.json')).results
    const [printed] = readBenchmarkResults(sample('gungraun', 'text.txt')).results
    expect(summary).toMatchObject({ uri: printed?.uri, name: printed?.name, value: printed?.value })
    expect(summary?.metrics).toEqual(expect.arrayContaining(printed?.metrics ?? []))
  })

  test('of a version that has no profiles, the place of what is missing', () => {
    const old = { version: '2', module_path: 'a::b', function_name: 'b', callgrind_summary: {} }
    expect(() => read(JSON.stringify(old))).toThrow(/Expected a list \(at \$\.profiles\)/)
  })
})
