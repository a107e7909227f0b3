import { describe, expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

const uris = [
  'text::Strings::copy 64',
  'text::Strings::long::copy 4096',
  'text::Sorting, 1000 numbers::sort 1000',
]

describe('console', () => {
  test('program, test case and sections are the parts of the uri', () => {
    const { results } = readBenchmarkResults(sample('catch2', 'console.txt'))
    expect(results.map(({ uri }) => uri)).toEqual(uris)
  })

  test('mean, deviation and bounds come each with their own unit', () => {
    const [, , sort] = readBenchmarkResults(sample('catch2', 'console.txt')).results
    expect(sort).toMatchObject({ value: 8733.94, statistic: 'mean' })
    expect(sort?.stats).toMatchObject({ low: 7704.3, high: 10_941.5, rounds: 20, iterationsPerRound: 4 })
    expect(sort?.stats.stdev).toBeCloseTo(3172.9, 6)
  })

  test('a name that is broken over lines is put together, a benchmark that failed is told', () => {
    const rule = '-'.repeat(79)
    const table = [
      'benchmark name                       samples       iterations    est run time',
      '                                     mean          low mean      high mean',
      '                                     std dev       low std dev   high std dev',
      rule,
      'a name that is too long for the     ',
      'column                                         100           208     7.1968 ms ',
      '                                        344 ns        341 ns        349 ns ',
      '                                         19 ns         11 ns         29 ns ',
      '                                                                               ',
      'throws                               Benchmark failed (no input) ',
    ]
    const { results, warnings } = readBenchmarkResults(utf8(table.join('\n')))
    expect(results).toMatchObject([{ uri: 'a name that is too long for the column', value: 344 }])
    expect(warnings).toEqual(['line 10: "throws" failed: "no input".'])
    const cut = table.slice(0, 7).join('\n')
    expect(() => readBenchmarkResults(utf8(cut))).toThrow(/Expected three times/)
  })
})

describe('XML', () => {
  test('the same uris as the console has', () => {
    const { results } = readBenchmarkResults(sample('catch2', 'report.xml'))
    expect(results.map(({ uri }) => uri)).toEqual(uris)
    expect(results[2]).toMatchObject({
      value: 8146.9,
      stats: { mean: 8146.9, stdev: 2727.39, low: 7477.72, high: 10_739.2, rounds: 20, outlierRounds: 3 },
    })
  })

  test('version 3, names with entities', () => {
    const text = `<?xml version="1.0" encoding="UTF-8"?>
<Catch2TestRun name="text" rng-seed="1" xml-format-version="3" catch2-version="3.5.0">
  <TestCase name="a &lt;b&gt; &amp; c" filename="a.cpp" line="1">
    <BenchmarkResults name="&quot;x&quot;" samples="10" resamples="100" iterations="5" clockResolution="1" estimatedDuration="1">
      <mean value="12.5" lowerBound="12" upperBound="13" ci="0.95"/>
    </BenchmarkResults>
  </TestCase>
</Catch2TestRun>`
    const { results } = readBenchmarkResults(utf8(text))
    expect(results).toMatchObject([{ uri: 'text::a <b> & c::"x"', value: 12.5 }])
  })

  test('a number that is none is refused with its line', () => {
    const text = '<Catch name="t">\n<BenchmarkResults name="x">\n<mean value="fast"/>\n</BenchmarkResults>'
    expect(() => readBenchmarkResults(utf8(text))).toThrow(/not negative \(line 3\)/)
  })
})

test.each(['no-analysis.txt', 'no-analysis.xml'])('%s: a mean without analysis has no spread', (file) => {
  const { results } = readBenchmarkResults(sample('catch2', file))
  expect(results.length).toBeGreaterThan(2)
  for (const { value, statistic, stats } of results) {
    expect([statistic, stats.mean, stats.rounds]).toEqual(['mean', value, 20])
    expect([stats.stdev, stats.low, stats.high, stats.outlierRounds]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  }
})
