import { expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

function read(text: string) {
  return readBenchmarkResults(utf8(text), { adapter: 'rust_bench' })
}

test('the target begins the uri where cargo tells it, whatever the hash of its program', () => {
  const { results, warnings } = readBenchmarkResults(sample('rust_bench', 'two-targets.txt'))
  expect(results.map(({ uri, name, value }) => [uri, name, value])).toEqual([
    ['src/lib.rs::tests::join_words', 'tests::join_words', 18.74],
    ['benches/checksum.rs::fold', 'fold', 4051.92],
  ])
  expect(warnings).toEqual([
    'line 7: "tests::too_slow" was ignored.',
    'line 15: "reading_what_is_not_there" failed.',
  ])
})

test('the range and the bytes per second are metrics', () => {
  const { results } = readBenchmarkResults(sample('rust_bench', 'two-targets.txt'))
  expect(results[1]?.metrics).toEqual([
    { name: 'range', value: 2705.43, unit: 'ns', betterWhen: 'lower' },
    { name: 'throughput', value: 1011e6, unit: 'B/s', betterWhen: 'higher' },
  ])
})

test('whole ns of older versions, without what cargo prints', () => {
  const { results } = readBenchmarkResults(sample('rust_bench', 'whole-ns.txt'))
  expect(results).toMatchObject([{ uri: 'tests::join_words', value: 49, metrics: [{ value: 30 }] }])
})

test.each([
  ['     Running unittests (target/release/deps/words-c92610c052d35434)', 'words::a'],
  ['     Running target/release/deps/words-c92610c052d35434', 'words::a'],
  ['     Running unittests src/lib.rs (target/release/deps/words-c92610c052d35434)', 'src/lib.rs::a'],
  ['     Running C:\\target\\release\\deps\\words-c92610c052d35434.exe', 'words::a'],
])('%s', (line, uri) => {
  const { results } = read(`${line}\n\nrunning 1 test\ntest a ... bench:  1,234 ns/iter (+/- 56)\n`)
  expect(results.map((result) => [result.uri, result.value])).toEqual([[uri, 1234]])
})

test('a cut line and an unknown unit are refused with their line', () => {
  expect(() => read('running 1 test\ntest a ... bench:   1,2')).toThrow(/the line is cut \(line 2\)/)
  expect(() => read('test a ... bench:   1 eon/iter (+/- 2)')).toThrow(/"eon" is no unit of time \(line 1\)/)
  expect(() => read('hello')).toThrow(/no line of `cargo bench`/)
})
