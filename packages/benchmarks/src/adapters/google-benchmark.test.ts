import { describe, expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

function read(rows: object[], context?: object) {
  return readBenchmarkResults(utf8(JSON.stringify({ context, benchmarks: rows })), {
    adapter: 'google_benchmark',
  })
}

test('repetitions are the rounds of a benchmark, and its value is their median', () => {
  const { results } = readBenchmarkResults(sample('google_benchmark', 'repetitions.json'))
  expect(results.map(({ uri, statistic, roundValues }) => [uri, statistic, roundValues?.length])).toEqual([
    ['strings::BM_StringCopy/64', 'median', 6],
    ['strings::BM_StringCopy/4096', 'median', 6],
    ['strings::BM_Sort/64', 'median', 6],
  ])
})

test('the aggregates of the tool say the same as our own, where it wrote both', () => {
  const document = JSON.parse(new TextDecoder().decode(sample('google_benchmark', 'repetitions.json')))
  const { results } = readBenchmarkResults(sample('google_benchmark', 'repetitions.json'))
  for (const { name, stats } of results) {
    const unit = name.startsWith('BM_Sort') ? 1000 : 1
    const ofTool = (aggregate: string): number =>
      document.benchmarks.find((row: { name: string }) => row.name === `${name}_${aggregate}`).real_time *
      unit
    expect(stats.mean).toBeCloseTo(ofTool('mean'), 6)
    expect(stats.median).toBeCloseTo(ofTool('median'), 6)
    expect(stats.stdev).toBeCloseTo(ofTool('stddev'), 6)
  }
})

test('--benchmark_report_aggregates_only: mean, median and deviation without rounds', () => {
  const { results } = readBenchmarkResults(sample('google_benchmark', 'aggregates-only.json'))
  expect(results).toHaveLength(2)
  expect(results[0]).toMatchObject({ uri: 'strings::BM_StringCopy/64', statistic: 'median' })
  expect(results[0]?.stats).toMatchObject({ rounds: 6, median: results[0]?.value })
  expect(results[0]?.roundValues).toBeUndefined()
})

test('what did not finish and what is no time becomes a warning with its place', () => {
  const { results, warnings } = readBenchmarkResults(sample('google_benchmark', 'plain.json'))
  expect(results.map(({ name }) => name)).not.toContain('BM_Unreadable')
  expect(warnings).toEqual([
    '$.benchmarks[7]: "BM_Unreadable" did not finish: "the input file is missing".',
    '$.benchmarks[5]: the "BigO" of "BM_Sort" is not read.',
    '$.benchmarks[6]: the "RMS" of "BM_Sort" is not read.',
  ])
})

test('bytes and items per second should be high, CPU time low, and of a counter nobody knows', () => {
  const { results } = readBenchmarkResults(sample('google_benchmark', 'plain.json'))
  const metrics = results.flatMap((result) => result.metrics)
  expect(Object.fromEntries(metrics.map(({ name, unit, betterWhen }) => [name, [unit, betterWhen]]))).toEqual(
    {
      cpu_time: ['ns', 'lower'],
      bytes_per_second: ['B/s', 'higher'],
      items_per_second: ['items/s', 'higher'],
      numbers: ['', undefined],
    },
  )
})

test.each([
  ['ns', 5],
  ['us', 5e3],
  ['ms', 5e6],
  ['s', 5e9],
  [undefined, 5],
])('time unit %s', (time_unit, value) => {
  expect(read([{ name: 'BM_A', real_time: 5, time_unit }]).results[0]?.value).toBe(value)
})

test('an unknown time unit is refused', () => {
  expect(() => read([{ name: 'BM_A', real_time: 5, time_unit: 'h' }])).toThrow(
    /\$\.benchmarks\[0\]\.time_unit/,
  )
})

test('versions before 1.5 tell aggregates by the name only', () => {
  const { results } = read([
    { name: 'BM_A/8', iterations: 10, real_time: 4 },
    { name: 'BM_A/8', iterations: 10, real_time: 6 },
    { name: 'BM_A/8_mean', iterations: 2, real_time: 5 },
  ])
  expect(results.map(({ uri, value, roundValues }) => [uri, value, roundValues])).toEqual([
    ['BM_A/8', 5, [4, 6]],
  ])
})

test('two benchmarks that were registered under one name stay two', () => {
  const row = { name: 'BM_A', run_name: 'BM_A', run_type: 'iteration', repetition_index: 0 }
  const { results, warnings } = read([
    { ...row, real_time: 4 },
    { ...row, real_time: 9 },
  ])
  expect(results.map(({ uri, value }) => [uri, value])).toEqual([
    ['BM_A', 4],
    ['BM_A#2', 9],
  ])
  expect(warnings).toHaveLength(1)
})

test('bare NaN and Infinity, as the tool prints them, do not spoil the rest', () => {
  const text =
    '{"context": {}, "benchmarks": [{"name": "NaN", "real_time": 5, "rate": -NaN, "ratio": Infinity}]}'
  const { results } = readBenchmarkResults(utf8(text))
  expect(results).toMatchObject([{ name: 'NaN', value: 5, metrics: [] }])
})

test('the program gives the first part of the uri, without its folder', () => {
  expect(read([{ name: 'BM_A', real_time: 1 }], { executable: 'C:\\build\\text.exe' }).results[0]?.uri).toBe(
    'text::BM_A',
  )
})

test('CSV has the rows of the JSON', () => {
  const { results } = readBenchmarkResults(sample('google_benchmark', 'plain.csv'))
  expect(results.map(({ uri, value, stats }) => [uri, value, stats.iterationsPerRound])).toEqual([
    ['BM_StringCopy/64', 37.9705, 1_812_685],
    ['BM_StringCopy/4096', 525.619, 154_410],
  ])
  expect(results[0]?.metrics.map(({ name }) => name)).toEqual(['cpu_time', 'bytes_per_second'])
})

test('CSV: counters below zero are kept, and what is no number is left out, as in the JSON', () => {
  const head =
    'name,iterations,real_time,cpu_time,time_unit,label,error_occurred,error_message,"gain","rate"\n'
  const rows = 'BM_A,10,5,4,ns,,,,-2.5,-nan\nBM_B,10,nan,inf,ns,,,,1,-nan(ind)\nBM_C_BigO,,-1,-1,ns,,,,,\n'
  const { results, warnings } = readBenchmarkResults(utf8(head + rows))
  expect(results.map(({ name, metrics }) => [name, metrics.map((metric) => metric.value)])).toEqual([
    ['BM_A', [4, -2.5]],
  ])
  expect(warnings.join('\n')).toMatch(/"BM_B" has no real_time, ignored/)
})

describe('CSV of several programs, or with failures', () => {
  const head =
    'name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_message'

  test('a benchmark that failed has no cells for the counters of the others', () => {
    const rows = ['"BM_A",10,5,4,ns,,,,,,3', '"BM_B",,,,,,,,true,"no file"', '"BM_C",10,6,4,ns,,,,,,2']
    const { results, warnings } = readBenchmarkResults(utf8(`${head},"hits"\n${rows.join('\n')}\n`))
    expect(results.map(({ name, metrics }) => [name, metrics.at(-1)?.value])).toEqual([
      ['BM_A', 3],
      ['BM_C', 2],
    ])
    expect(warnings).toEqual(['line 3: "BM_B" did not finish: "no file".'])
    expect(() => readBenchmarkResults(utf8(`${head},"hits"\n"BM_A",10,5\n`))).toThrow(
      /Expected 11 cells.*\(line 2\)/,
    )
  })

  test('each program has its own heading', () => {
    const { results } = readBenchmarkResults(
      utf8(`${head}\n"BM_A",10,5,4,ns,,,,,\n${head},"hits"\n"BM_B",10,6,4,us,,,,,,3\n`),
    )
    expect(results.map(({ name, value }) => [name, value])).toEqual([
      ['BM_A', 5],
      ['BM_B', 6000],
    ])
    expect(results[1]?.metrics.at(-1)).toMatchObject({ name: 'hits', value: 3 })
  })
})

test('the printed table: a time of ten digits has one blank before it', () => {
  const table = `-------------------------------------------------------------------
Benchmark                         Time             CPU   Iterations
-------------------------------------------------------------------
BM_Sort/10                      243 ns          213 ns       128825
BM_Sort/random order/50  1234567890 ns   1234567890 ns            1
BM_Sort/random order/500 1.2346e+10 ns   1.2346e+10 ns            1
`
  const { results, warnings } = readBenchmarkResults(utf8(table))
  expect(results.map(({ name, value }) => [name, value])).toEqual([
    ['BM_Sort/10', 243],
    ['BM_Sort/random order/50', 1_234_567_890],
    ['BM_Sort/random order/500', 12_346_000_000],
  ])
  expect(warnings).toEqual([])
})

test('the printed table of versions before 1.5', () => {
  const table = `Benchmark              Time           CPU Iterations
-----------------------------------------------------
BM_StringCopy          5 ns          5 ns  127850761   4.52895GB/s
`
  expect(readBenchmarkResults(utf8(table)).results).toMatchObject([{ name: 'BM_StringCopy', value: 5 }])
})

test('the printed table: times with their units, repetitions as rounds, failures told', () => {
  const { results, warnings } = readBenchmarkResults(sample('google_benchmark', 'console.txt'))
  expect(results.map(({ uri, value }) => [uri, value])).toEqual([
    ['BM_StringCopy/64', 18.5],
    ['BM_StringCopy/4096', 194],
    ['BM_Sort/64', 243],
    ['BM_Sort/256', 1650],
    ['BM_Sort/1024', 8470],
  ])
  expect(warnings.at(-1)).toMatch(/^line 11: no result, ignored: "BM_Unreadable/)
  const repeated = readBenchmarkResults(sample('google_benchmark', 'console-repetitions.txt')).results
  expect(repeated.map(({ uri, roundValues }) => [uri, roundValues])).toEqual([
    ['BM_StringCopy/64', [30.4, 32.5, 23.9]],
    ['BM_StringCopy/4096', [198, 244, 167]],
  ])
})

function printedRow(name: string, iterations: number): string {
  return `${name}      2.0 ns        1.0 ns   ${iterations}\n`
}

function namesOf(rows: string): string[] {
  const head = 'Benchmark          Time             CPU   Iterations\n'
  return readBenchmarkResults(utf8(head + rows)).results.map(({ name }) => name)
}

describe('on the console only names tell what a row is', () => {
  test('a benchmark may be called like a statistic', () => {
    expect(namesOf(printedRow('BM_mean', 1000) + printedRow('BM_vector_median', 1000))).toEqual([
      'BM_mean',
      'BM_vector_median',
    ])
  })

  test("a statistic of the author's own is none of the benchmarks", () => {
    const repeated = ['BM_A_mean', 'BM_A_median', 'BM_A_stddev', 'BM_A_max']
      .map((name) => printedRow(name, 3))
      .join('')
    expect(namesOf(repeated + printedRow('BM_A_fast', 1000))).toEqual(['BM_A', 'BM_A_fast'])
  })
})

test('benchmarks of another form are of another tool', () => {
  const mitata = { context: { runtime: 'node' }, benchmarks: [{ alias: 'a', runs: [] }] }
  expect(() => readBenchmarkResults(utf8(JSON.stringify(mitata)))).toThrow(/None of these wrote the file/)
})
