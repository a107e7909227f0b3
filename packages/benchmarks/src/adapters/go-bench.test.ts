import { expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

function read(text: string) {
  return readBenchmarkResults(utf8(text), { adapter: 'go_bench' })
}

test('-count repeats are rounds; the processor suffix is no part of the identity', () => {
  const { results, environment } = readBenchmarkResults(sample('go_bench', 'count6.txt'))
  expect(results.map(({ uri, roundValues }) => [uri, roundValues?.length])).toEqual([
    ['example.com/text::BenchmarkJoin/words=10', 6],
    ['example.com/text::BenchmarkJoin/words=1000', 6],
    ['example.com/text::BenchmarkChecksum', 6],
    ['example.com/text::BenchmarkLogs', 6],
  ])
  expect(environment).toMatchObject({ goos: 'linux', goarch: 'amd64', runtime: 'go', gomaxprocs: '2' })
})

test('-cpu 1,2 measures two things, so there the suffix stays', () => {
  const { results, environment } = readBenchmarkResults(sample('go_bench', 'cpu-1-2.txt'))
  expect(results.map(({ name }) => name)).toEqual([
    'BenchmarkJoin/words=10',
    'BenchmarkJoin/words=10-2',
    'BenchmarkJoin/words=1000',
    'BenchmarkJoin/words=1000-2',
    'BenchmarkChecksum',
    'BenchmarkChecksum-2',
  ])
  expect(environment).not.toHaveProperty('gomaxprocs')
})

test('names that end in a number are not mistaken for processors', () => {
  const { results } = read('BenchmarkSort/size-10  5  10 ns/op\nBenchmarkSort/size-100  5  90 ns/op\nPASS\n')
  expect(results.map(({ name }) => name)).toEqual(['BenchmarkSort/size-10', 'BenchmarkSort/size-100'])
})

test('every unit is kept: memory should be low, throughput high, of an own unit nobody knows', () => {
  const { results } = readBenchmarkResults(sample('go_bench', 'count6.txt'))
  const units = results.flatMap(({ metrics }) => metrics.map(({ unit, betterWhen }) => [unit, betterWhen]))
  expect(Object.fromEntries(units)).toEqual({
    'words/op': undefined,
    'B/op': 'lower',
    'allocs/op': 'lower',
    'MB/s': 'higher',
  })
})

test('the same name in two packages is two benchmarks', () => {
  const { results } = read(`
pkg: example.com/a
BenchmarkX-4  5  10 ns/op
PASS
ok  example.com/a  0.1s
pkg: example.com/b
BenchmarkX-4  5  20 ns/op
PASS
ok  example.com/b  0.1s
`)
  expect(results.map(({ uri, value }) => [uri, value])).toEqual([
    ['example.com/a::BenchmarkX', 10],
    ['example.com/b::BenchmarkX', 20],
  ])
})

test('log lines, failures, lost results and a missing end are told with their line', () => {
  const { warnings } = read('goos: linux\nBenchmarkX-4  5  10 ns/op\nhello\nBenchmarkY-4  --- FAIL\nFAIL\n')
  expect(warnings).toEqual([
    'line 3: no benchmark line, ignored: "hello".',
    'line 4: no result, ignored: "BenchmarkY-4 --- FAIL".',
    'line 5: the tests failed: "FAIL".',
  ])
  expect(read('BenchmarkX-4  5  10 ns/op\n').warnings.at(-1)).toMatch(/^the end: there is no PASS/)
})

test.each([
  ['42', 'a number'],
  ['10 items loaded', 'a sentence'],
  ['100  12 ns/op  3', 'a cut line'],
  ['100  fast ns/op', 'no number'],
  ['100  -1 ns/op', 'a negative time'],
])('%s behind a name (%s) is no result, and told', (printed) => {
  const { results, warnings } = read(`BenchmarkX-8 \t${printed}\nBenchmarkY-8  5  10 ns/op\nPASS\n`)
  expect(results.map(({ name }) => name)).toEqual(['BenchmarkY'])
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toMatch(/^line 1: no result, ignored: "BenchmarkX-8/)
})

test('of a result that is no number the others are kept', () => {
  const { results, warnings } = read('BenchmarkX-8  5  10 ns/op  NaN hits/op  +Inf gain  3 B/op\nPASS\n')
  expect(results[0]?.metrics.map(({ name, value }) => [name, value])).toEqual([['B/op', 3]])
  expect(warnings).toEqual(['line 1: NaN of "hits/op" is left out.', 'line 1: +Inf of "gain" is left out.'])
})

test('without ns/op the first unit that the author reports is the value', () => {
  const { results, warnings } = read(
    'BenchmarkX-4  5  10 widgets  3 B/op\nBenchmarkX-4  5  12 widgets\nPASS\n',
  )
  expect(results).toMatchObject([
    { instrument: 'custom', metric: 'widgets', value: 11, unit: 'widgets', betterWhen: 'lower' },
  ])
  expect(results[0]?.metrics.map(({ name, value }) => [name, value])).toEqual([['B/op', 3]])
  expect(warnings).toEqual([
    'line 1: nobody knows which way "widgets" is better; it is taken for better when lower.',
  ])
})

test('-cpu 1,2: a name that ends in a number is no round of one without its suffix', () => {
  const { results } = read('BenchmarkX/n-10  5  10 ns/op\nBenchmarkX/n-10-2  5  30 ns/op\nPASS\n')
  expect(results.map(({ uri, value }) => [uri, value])).toEqual([
    ['BenchmarkX/n-10', 10],
    ['BenchmarkX/n-10-2', 30],
  ])
})

test('warnings are bounded', () => {
  const { warnings } = read(`BenchmarkX-4  5  10 ns/op\n${'noise here\n'.repeat(5000)}PASS\n`)
  expect(warnings).toHaveLength(101)
  expect(warnings.at(-1)).toBe('4900 further warnings are left out.')
})

test('line ends of Windows', () => {
  expect(read('BenchmarkX-4  5  10 ns/op\r\nPASS\r\n').results).toMatchObject([
    { name: 'BenchmarkX', value: 10 },
  ])
})

test('-json: what was printed is put together again', () => {
  const { results, environment, warnings } = readBenchmarkResults(sample('go_bench', 'events.txt'))
  expect(results.map(({ uri, value }) => [uri, value])).toEqual([
    ['example.com/text::BenchmarkJoin/words=10', 212.6],
    ['example.com/text::BenchmarkJoin/words=1000', 17_640],
    ['example.com/text::BenchmarkChecksum', 646],
  ])
  expect(environment).toMatchObject({ goos: 'linux', gomaxprocs: '2' })
  expect(warnings).toEqual([])
})

function event(name: string, output: string): string {
  return JSON.stringify({ Action: 'output', Package: name, Output: output })
}

test.each([
  ['the build', '{"ImportPath":"example.com/a","Action":"build-output","Output":"# example.com/a\\n"}'],
  ['a download', 'go: downloading golang.org/x/sync v0.10.0'],
])('-json: what is said of %s before the first event is no output of a test', (_, line) => {
  const printed = ['goos: linux\n', 'BenchmarkX-4  5  10 ns/op\n', 'PASS\n']
  const events = printed.map((output) => event('example.com/a', output))
  const { adapters, results, warnings } = readBenchmarkResults(utf8([line, ...events].join('\n')))
  expect(adapters).toEqual(['go_bench'])
  expect(results.map(({ name, value }) => [name, value])).toEqual([['BenchmarkX', 10]])
  expect(warnings).toEqual([])
})

test('-json: packages that ran at the same time are kept apart', () => {
  const lines = [
    event('a', 'pkg: a\n'),
    event('b', 'pkg: b\n'),
    event('a', 'BenchmarkX-2 \t'),
    event('b', 'BenchmarkX-2 \t'),
    event('b', '10\t20 ns/op\n'),
    event('a', '10\t30 ns/op\n'),
    event('a', 'PASS\n'),
    event('b', 'PASS\n'),
  ]
  expect(read(lines.join('\n')).results.map(({ uri, value }) => [uri, value])).toEqual([
    ['a::BenchmarkX', 30],
    ['b::BenchmarkX', 20],
  ])
})
