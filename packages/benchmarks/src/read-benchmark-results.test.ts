import { readFileSync, readdirSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import * as fc from 'fast-check'
import { createTar } from 'nanotar'
import { describe, expect, test } from 'vitest'
import { adapterNames, FormatError, readBenchmarkResults } from './index.ts'
import { sample, utf8 } from './testing/sample.ts'

/** Some adapters are there to be named: their files are those of others. */
const namedOnly = new Set(['github_action_benchmark_smaller', 'github_action_benchmark_bigger'])
const samples = adapterNames
  .filter((adapter) => !namedOnly.has(adapter))
  .flatMap((adapter) =>
    readdirSync(new URL(`../samples/${adapter}/`, import.meta.url))
      .filter((file) => /\.(json|txt|csv|md|xml|out)$/.test(file))
      .map((file) => ({ adapter, file })),
  )

describe('magic', () => {
  test.each(samples)('takes $adapter for $file', ({ adapter, file }) => {
    const bytes = sample(adapter, file)
    const report = readBenchmarkResults(bytes)
    expect(report.adapters).toEqual([adapter])
    expect(report.results.length).toBeGreaterThan(0)
    expect(report).toEqual(readBenchmarkResults(bytes, { adapter }))
  })

  test('names the adapters it knows when it recognises none', () => {
    expect(() => readBenchmarkResults(utf8('{"hello": 1}'))).toThrow(
      /google_benchmark, hyperfine, vitest_bench/,
    )
    expect(() => readBenchmarkResults(utf8('hello'))).toThrow(FormatError)
  })
})

describe('archives', () => {
  const go = sample('go_bench', 'count6.txt')
  const hyperfine = sample('hyperfine', 'two.json')

  test('every file of a tar is read by the tool that wrote it, and others are named', () => {
    const files = [
      { name: './results/go.txt', data: go },
      { name: 'results/hyperfine.json', data: hyperfine },
      { name: 'results/readme.md', data: '# Nothing' },
    ]
    const report = readBenchmarkResults(createTar(files))
    expect(report.adapters).toEqual(['hyperfine', 'go_bench'])
    const single = [go, hyperfine].flatMap((bytes) => readBenchmarkResults(bytes).results)
    expect(report.results).toEqual(single)
    expect(report.warnings[0]).toMatch(/^results\/go.txt, line \d+: /)
    expect(report.warnings.at(-1)).toMatch(/^results\/readme.md: not read: None of these/)
  })

  test('gzip and zstd are undone', () => {
    const plain = readBenchmarkResults(go)
    expect(readBenchmarkResults(gzipSync(go))).toEqual(plain)
    expect(readBenchmarkResults(zstdCompressSync(go))).toEqual(plain)
    expect(readBenchmarkResults(gzipSync(createTar([{ name: 'a.txt', data: go }]))).results).toEqual(
      plain.results,
    )
  })

  test('a tar that is a part of more bytes is read alone', () => {
    const tar = createTar([{ name: 'a.txt', data: go }])
    const all = Uint8Array.from([...new Uint8Array(700).fill(1), ...tar])
    expect(readBenchmarkResults(all.subarray(700)).results).toEqual(readBenchmarkResults(go).results)
  })

  test('what is damaged is refused in words', () => {
    expect(() => readBenchmarkResults(zstdCompressSync(go).subarray(0, 200))).toThrow(
      /zstd file is damaged or cut off/,
    )
    expect(() => readBenchmarkResults(gzipSync(go).subarray(0, 200))).toThrow(
      /gzip file is damaged or cut off/,
    )
    const cut = createTar([{ name: 'a.txt', data: go }]).subarray(0, 1500)
    expect(() => readBenchmarkResults(cut)).toThrow(/tar archive is damaged or cut off/)
    expect(() => readBenchmarkResults(createTar([{ name: 'a.txt', data: 'x' }]))).toThrow(
      /No known tool wrote any/,
    )
  })
})

describe('what every report promises', () => {
  test.each(samples)(
    '$adapter/$file: distinct uris, plausible times, no path of a machine',
    ({ adapter, file }) => {
      const { results } = readBenchmarkResults(sample(adapter, file))
      expect(new Set(results.map(({ uri }) => uri)).size).toBe(results.length)
      for (const { uri, value, stats, roundValues } of results) {
        expect(uri).not.toMatch(/\/app\/|\/home\/|\/tmp\//)
        expect(value).toBeGreaterThan(0)
        expect(value).toBeGreaterThanOrEqual(stats.min ?? value)
        expect(value).toBeLessThanOrEqual(stats.max ?? value)
        expect(roundValues?.length ?? stats.rounds).toBe(stats.rounds)
      }
    },
  )
})

test('what overflows in our units is left out and told', () => {
  const document = {
    results: [
      { command: 'a', mean: 1e308 },
      { command: 'b', mean: 1 },
    ],
  }
  const { results, warnings } = readBenchmarkResults(utf8(JSON.stringify(document)))
  expect(results.map(({ name }) => name)).toEqual(['b'])
  expect(warnings).toContain('hyperfine::a: the numbers of "a" are too large, ignored.')
})

function brokenBy(micro: string, greek: string, plusMinus: string): (text: string) => Uint8Array {
  return (text) =>
    utf8(text.replaceAll('\u00B5s', micro).replaceAll('\u03BCs', greek).replaceAll('±', plusMinus))
}

describe('the same text, written in another way, is read the same', () => {
  const ways: [way: string, write: (text: string) => Uint8Array][] = [
    ['with the line ends of Windows', (text) => utf8(text.replaceAll(/\r?\n/g, '\r\n'))],
    ['with a byte order mark', (text) => utf8(`\uFEFF${text}`)],
    ['as UTF-16', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['with colours', (text) => utf8(text.replaceAll(/(?<=^|\n)(.+)/g, '\u001B[0;32m$1\u001B[m\u001B[K'))],
    ['through code page 437 of Windows', brokenBy('┬╡s', '╬╝s', '┬▒')],
    ['through code page 850 of Windows', brokenBy('┬Ás', '╬╝s', '┬▒')],
    ['through code page 1252 of Windows', brokenBy('Âµs', 'Î¼s', 'Â±')],
    ['in a log of GitHub Actions', (text) => utf8(text.replaceAll(/^/gm, '2026-11-21T09:30:00.1234567Z '))],
    [
      'in `gh run view --log`',
      (text) => utf8(text.replaceAll(/^/gm, 'bench\tRun tests\t2026-11-21T09:30:00.1234567Z ')),
    ],
    ['in a log of GitLab', (text) => utf8(text.replaceAll(/^/gm, '2026-11-21T09:30:00.123456Z 01O '))],
    ['in a log of Jenkins', (text) => utf8(text.replaceAll(/^/gm, '[2026-11-21T09:30:00.123Z] '))],
  ]
  const texts = samples.filter(({ file }) => !/\.(json|out)$/.test(file))

  test.each(ways)('%s', (_, write) => {
    for (const { adapter, file } of texts) {
      const bytes = sample(adapter, file)
      const { results } = readBenchmarkResults(write(new TextDecoder().decode(bytes)))
      expect({ adapter, file, results }).toEqual({
        adapter,
        file,
        results: readBenchmarkResults(bytes).results,
      })
    }
  })
})

test('what GitLab broke within a line is put together again', () => {
  const lines = ['00O Running', '01O BenchmarkX-4  ', '01O+5  10 ns/op', '01E PASS']
  const log = utf8(lines.map((line) => `2026-11-21T09:30:00.123456Z ${line}\n`).join(''))
  expect(readBenchmarkResults(log).results).toMatchObject([{ uri: 'BenchmarkX', value: 10 }])
})

test.each(['[1/2] Building CXX object', '[INFO] Scanning for projects', '[bench] go test', '[] started'])(
  'a log that begins with a word in brackets is no JSON: %s',
  (line) => {
    const { results } = readBenchmarkResults(utf8(`${line}\nBenchmarkX-4  5  10 ns/op\nPASS\n`))
    expect(results).toMatchObject([{ uri: 'BenchmarkX', value: 10 }])
  },
)

describe('a deviation of 0 that is none is taken away', () => {
  test('of a single round', () => {
    const result = summaryOf({ median: 1, mean: 1, min: 1, max: 1, stddev: 0, rounds: 1 })
    expect(result?.statistic).toBe('single')
    expect(result?.stats.stdev).toBeUndefined()
  })

  test('of rounds that differ', () => {
    expect(
      summaryOf({ median: 1, mean: 1, min: 1, max: 2, stddev: 0, rounds: 9 })?.stats.stdev,
    ).toBeUndefined()
    expect(summaryOf({ median: 1, mean: 1, min: 1, max: 1, stddev: 0, rounds: 9 })?.stats.stdev).toBe(0)
  })
})

/** So large that a time which grows with the square of the size would not end within the time of a test. */
describe('large and hostile text is read in one pass', () => {
  const asvHead = '[  0.00%] ·· Benchmarking py\n[ 35.00%] ··· a.time_b    ok\n'
  const jmhRun = '{"benchmark":"a.b","mode":"avgt","primaryMetric":{"score":1,"scoreUnit":"ns/op"}}'
  const answers: [what: string, text: string, answer: string][] = [
    ['results of asv', '[ 35.00%] ··· a.time_b      11.1±0.01μs\n'.repeat(40_000), '40000 results'],
    [
      'a table of asv without an end',
      `${asvHead}[ 35.00%] ··· === ===\n${many('    10 1.2±0μs\n')}`,
      '0 results',
    ],
    ['a heading of asv without an end', `${asvHead}=== ===\n--  xx\n${many('10  1.2±0μs\n')}`, '0 results'],
    [
      'one benchmark of JMH again and again',
      `[${Array.from({ length: 20_000 }, () => jmhRun).join(',')}]`,
      '20000 results',
    ],
    [
      'files of Vitest of one name',
      `{"testResults":[${many('{"name":"/a/x.ts","assertionResults":[]},')}{"name":"/x.ts","assertionResults":[]}]}`,
      '0 results',
    ],
    [
      'a path of Vitest with ever more folders',
      `{"testResults":[{"name":"/b${many('/a')}","assertionResults":[]},{"name":"/c${many('/a')}","assertionResults":[]}]}`,
      '0 results',
    ],
    ['a text of JSON without an end', `["NaN${many('\\"')}`, 'refused'],
    ['lines without anything', `${many('\n')}a`, 'refused'],
    ['numbers', `[${many('1,')}1]`, 'refused'],
    ['lists in lists', `${many('[')}${many(']')}`, 'refused'],
    ['control sequences without an end', `a${many('\u001B[1;')}`, 'refused'],
    ['one line', many('a b '), 'refused'],
    ['blanks before a word', `${many(' ')}a`, 'refused'],
    ['brackets without an end', `[${many(' ')}a`, 'refused'],
    [
      'lines of benchmark-ips with blanks only',
      `Calculating ---\na i/s b\n${many(`${' '.repeat(1990)}a\n`)}`,
      '0 results',
    ],
    ['a package of Go with blanks only', `goos: linux\npkg: ${many(' ')}\u2028\n`, '0 results'],
    ['names of jobs of BenchmarkDotNet', dotnetJobs(many(': [')), '2 results'],
  ]

  test.each(answers)('%s', (_, text, answer) => {
    const read = () => {
      try {
        return `${readBenchmarkResults(utf8(text)).results.length} results`
      } catch (error) {
        if (error instanceof FormatError) return 'refused'
        throw error
      }
    }
    expect(read()).toBe(answer)
  })
})

describe('refusals have a place', () => {
  const refusals: [what: string, bytes: Uint8Array, message: RegExp][] = [
    ['nothing', new Uint8Array(), /The file is empty/],
    ['blanks', utf8(' \n\n'), /The file is empty/],
    ['half a character of UTF-16', Uint8Array.of(0xff, 0xfe, 0x7b, 0, 0x7b), /not UTF-16/],
    ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0x0a, 0x0a, 0xc3, 0x28), /not UTF-8 text \(line 3\)/],
    ['cut JSON', utf8('{"results": [\n{"command": "ls",\n'), /malformed or cut off \(line 2\)/],
    ['broken JSON', utf8('{"results": [\n{"command": ls}]\n}\n\n'), /malformed or cut off \(line 2\)/],
    [
      'a text for a time',
      utf8('{"results":[{"command":"ls","times":[1,"2"]}]}'),
      /\(at \$\.results\[0\]\.times\[1\]\)/,
    ],
    ['a negative time', utf8('{"results":[{"command":"ls","times":[-1]}]}'), /not negative \(at/],
    [
      'no time at all',
      utf8('{"results":[{"command":"ls"}]}'),
      /Expected a number \(at \$\.results\[0\]\.mean\)/,
    ],
  ]
  test.each(refusals)('%s', (_, bytes, message) => {
    expect(() => readBenchmarkResults(bytes)).toThrow(FormatError)
    expect(() => readBenchmarkResults(bytes)).toThrow(message)
  })

  test('a file of another tool than the one that was named', () => {
    const bytes = sample('go_bench', 'count6.txt')
    expect(() => readBenchmarkResults(bytes, { adapter: 'hyperfine' })).toThrow(/Not valid JSON.*\(line 1\)$/)
    const hyperfine = sample('hyperfine', 'two.json')
    expect(() => readBenchmarkResults(hyperfine, { adapter: 'google_benchmark' })).toThrow(/\$\.benchmarks/)
    expect(() => readBenchmarkResults(hyperfine, { adapter: 'go_bench' })).toThrow(
      /no line of `go test -bench`/,
    )
    expect(() => readBenchmarkResults(hyperfine, { adapter: 'vitest_bench' })).toThrow(/\$\.testResults/)
  })

  test('an absurdly large file', () => {
    expect(() => readBenchmarkResults(new Uint8Array(65 * 1024 * 1024).fill(0x61))).toThrow(
      /at most 67108864 are read/,
    )
  })
})

describe('whatever the bytes are, the answer is a report or a FormatError', () => {
  const small = samples.filter(({ adapter, file }) => sample(adapter, file).length < 20_000)
  const anySample = fc.constantFrom(...small)
  const options = fc.record({ adapter: fc.constantFrom('magic' as const, ...adapterNames) })

  test('random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), options, (bytes, asked) => {
        expect(readsOrRefuses(bytes, asked)).toBe(true)
      }),
    )
  })

  test('random JSON', () => {
    fc.assert(
      fc.property(fc.json().map(utf8), options, (bytes, asked) => {
        expect(readsOrRefuses(bytes, asked)).toBe(true)
      }),
    )
  })

  test('samples cut anywhere', () => {
    fc.assert(
      fc.property(anySample, fc.double({ min: 0, max: 1, noNaN: true }), ({ adapter, file }, share) => {
        const bytes = sample(adapter, file)
        expect(
          readsOrRefuses(bytes.subarray(0, Math.floor(bytes.length * share)), { adapter: 'magic' }),
        ).toBe(true)
      }),
    )
  })

  test('samples with changed bytes', () => {
    const change = fc.tuple(fc.nat(20_000), fc.constantFrom(...utf8('0-9.e"{}[],: \n\\x').values(), 0xff))
    fc.assert(
      fc.property(
        anySample,
        fc.array(change, { minLength: 1, maxLength: 8 }),
        ({ adapter, file }, changes) => {
          const bytes = Uint8Array.from(sample(adapter, file))
          for (const [at, byte] of changes) bytes[at % bytes.length] = byte
          expect(readsOrRefuses(bytes, { adapter })).toBe(true)
        },
      ),
    )
  })

  test('JSON samples with one value replaced by another kind', () => {
    const values = fc.constantFrom('null', '"x"', '-1', '[]', '{}', 'true', '1e999', '[[1]]')
    fc.assert(
      fc.property(anySample, values, fc.nat(500), ({ adapter, file }, value, which) => {
        let at = 0
        const text = readFileSync(new URL(`../samples/${adapter}/${file}`, import.meta.url), 'utf8')
        const changed = text.replaceAll(/(?<=: )("[^"]*"|[\d.e+-]+)/g, (own) =>
          at++ === which ? value : own,
        )
        expect(readsOrRefuses(utf8(changed), { adapter })).toBe(true)
      }),
    )
  })
})

/** True, or the error that no caller could tell from a bug. */
function readsOrRefuses(bytes: Uint8Array, options: Parameters<typeof readBenchmarkResults>[1]): boolean {
  try {
    return readBenchmarkResults(bytes, options).results.every(
      ({ value }) => Number.isFinite(value) && value >= 0,
    )
  } catch (error) {
    if (error instanceof FormatError) return true
    throw error
  }
}

function dotnetJobs(name: string): string {
  const row = { Type: 'A', Method: 'B', DisplayInfo: name, Statistics: { Mean: 1 } }
  return JSON.stringify({ HostEnvironmentInfo: {}, Benchmarks: [row, row] })
}

/** So often that it has about 1.5 MB. */
function many(line: string): string {
  return line.repeat(Math.ceil(1_500_000 / line.length))
}

/** What is read of statistics that pytest-benchmark kept without the rounds. */
function summaryOf(stats: object) {
  return readBenchmarkResults(utf8(JSON.stringify({ benchmarks: [{ fullname: 'a.py::b', stats }] })))
    .results[0]
}
