import { createTar } from 'nanotar'
import { expect, test } from 'vitest'
import { FormatError } from './format-error.ts'
import { readBenchmarkResults } from './read-benchmark-results.ts'
import { utf8 } from './testing/sample.ts'

/** An archive of files by their paths. */
function archive(files: Readonly<Record<string, string>>): Uint8Array {
  return createTar(Object.entries(files).map(([name, text]) => ({ name, data: utf8(text) })))
}

function goBench(...values: readonly (readonly [name: string, ns: number])[]): string {
  const lines = values.map(([name, ns]) => `Benchmark${name}-8 100 ${ns} ns/op 16 B/op 1 allocs/op\n`)
  return `${lines.join('')}PASS\n`
}

test('folders process-1, process-2 … are the processes of one run, in their order', () => {
  const { results, warnings, adapters } = readBenchmarkResults(
    archive({
      'process-10/out.txt': goBench(['A', 130]),
      'process-2/out.txt': goBench(['A', 90]),
      ...Object.fromEntries(
        [1, 3, 4, 5, 6, 7, 8, 9].map((n) => [`process-${n}/out.txt`, goBench(['A', 100 + n])]),
      ),
    }),
  )
  expect({ warnings, adapters }).toEqual({ warnings: [], adapters: ['go_bench'] })
  expect(results).toMatchObject([
    {
      uri: 'BenchmarkA',
      value: 105.5,
      statistic: 'median',
      processValues: [101, 90, 103, 104, 105, 106, 107, 108, 109, 130],
      stats: { min: 90, max: 130, rounds: 10 },
      roundValues: [101, 90, 103, 104, 105, 106, 107, 108, 109, 130],
    },
  ])
  expect(results[0]?.metrics.find(({ name }) => name === 'B/op')).toMatchObject({ value: 16, stdev: 0 })
})

test('what some processes lack is kept and told', () => {
  const { results, warnings } = readBenchmarkResults(
    archive({
      'process-1/out.txt': goBench(['A', 100], ['B', 7]),
      'process-2/out.txt': 'nothing of the kind',
      'process-4/out.txt': goBench(['A', 102]),
    }),
  )
  expect(results.map(({ uri, processValues }) => [uri, processValues])).toEqual([
    ['BenchmarkA', [100, null, null, 102]],
    ['BenchmarkB', [7, null, null, null]],
  ])
  expect(warnings).toEqual([
    expect.stringMatching(/^process-2: not read: None of these wrote the file/),
    'process-3: there is nothing of it.',
    'BenchmarkA: only 2 of 4 processes measured it.',
    'BenchmarkB: only 1 of 4 processes measured it.',
  ])
})

test('a process may have written several files, and what each of them leaves out is told once', () => {
  const half = goBench(['A', 100]).replace('PASS', '')
  const { results, warnings } = readBenchmarkResults(
    archive({
      'process-1/a.txt': half,
      'process-1/b.txt': goBench(['B', 7]),
      'process-2/a.txt': half,
      'process-2/b.txt': goBench(['B', 9]),
    }),
  )
  expect(results.map(({ processValues }) => processValues)).toEqual([
    [100, 100],
    [7, 9],
  ])
  expect(warnings).toEqual([expect.stringContaining('a.txt, the end: there is no PASS')])
})

test('an archive with anything else in it is none of processes', () => {
  const { results } = readBenchmarkResults(
    archive({ 'process-1/out.txt': goBench(['A', 100]), 'process-x/out.txt': goBench(['B', 7]) }),
  )
  expect(results.map(({ processValues }) => processValues)).toEqual([undefined, undefined])
})

test('where nothing can be read the first process says why', () => {
  expect(() => readBenchmarkResults(archive({ 'process-1/a': '?', 'process-2/a': '!' }))).toThrow(FormatError)
})
