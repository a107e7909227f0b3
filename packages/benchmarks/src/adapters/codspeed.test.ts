import { gzipSync, zstdCompressSync } from 'node:zlib'
import { encode } from '@msgpack/msgpack'
import { createTar } from 'nanotar'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isEmptyProfileFolder } from '../codspeed/profile-folder.ts'
import { FormatError } from '../format-error.ts'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sampleArchive } from '../testing/sample-archive.ts'
import { sample } from '../testing/sample.ts'

/** The one result of a process with these memory events. */
function read(events: object[]) {
  const [result] = readBenchmarkResults(Buffer.concat(events.map((event) => encode(event)))).results
  return result
}

/** True, or the error that no caller could tell from a bug. */
function readsOrRefuses(bytes: Uint8Array): boolean {
  try {
    return readBenchmarkResults(bytes).results.every(({ value }) => value >= 0)
  } catch (error) {
    if (error instanceof FormatError) return true
    throw error
  }
}

describe('walltime', () => {
  test('a folder: medians per iteration, and the environment beside them', () => {
    const report = readBenchmarkResults(sampleArchive('codspeed', 'walltime'))
    expect(report).toMatchObject({ adapters: ['codspeed'], warnings: [] })
    expect(report.results[0]).toMatchObject({
      uri: 'bench/words.bench.ts::words::join',
      name: 'join',
      instrument: 'walltime',
      value: 210.25,
      statistic: 'median',
      stats: {
        min: 208.25,
        max: 240.75,
        mean: 213.96875,
        q1: 209.125,
        q3: 212.1875,
        stdev: expect.closeTo(10.901701620127, 9),
        rounds: 8,
        iterationsPerRound: 4096,
        warmupIterations: 512,
        outlierRounds: 1,
        // 8 rounds of 4096 iterations; the file says it in seconds.
        totalTimeMs: expect.closeTo((213.96875 * 8 * 4096) / 1e6, 9),
      },
    })
    expect(report.environment).toEqual({
      runtime: 'node 24.1.0',
      nodejs_v8: '13.6.233.10-node.15',
      build_flags: '-O2 -g',
      'library:codspeed-node': '5.7.1',
      'library:libc.so.6': '93ac61ec5a8eb1396f9fbd350e3169a558528a40',
      'library:libwords.so.1': '0a1b2c3d4e5f60718293a4b5c6d7e8f901234567',
    })
  })

  test.each([
    ['results_1763640000000.json', 'tests/test_words.py::test_join', 848.5],
    ['raw-rust.json', 'bench/words.bench.ts::words::sort', 51_175],
    ['raw-go.json', 'words/join_test.go::BenchmarkJoin', 120.1],
  ])('%s, as an integration leaves it without a runner', (file, uri, value) => {
    const { results } = readBenchmarkResults(sample('codspeed', file))
    expect(results.map((result) => [result.uri, result.value, result.statistic])).toEqual([
      [uri, value, 'median'],
    ])
  })

  test('the rounds of Go are time by iterations', () => {
    const [result] = readBenchmarkResults(sample('codspeed', 'raw-go.json')).results
    expect(result?.roundValues).toEqual([120.1, 118.9, 125, 119.5, 121])
  })
})

describe('simulation', () => {
  test('one result for each benchmark, with the time in system calls apart', () => {
    const { adapters, results, environment } = readBenchmarkResults(sample('codspeed', '200.out'))
    expect(adapters).toEqual(['codspeed'])
    // totals: 32775 4096 1 1 65 1 1 65 1, and 1990 491 126 56 307 26 56 307 26 1 4897 3295.
    expect(results.map(({ uri, metric, value }) => [uri, metric, value])).toEqual([
      ['bench/two.c::text::checksum', 'estimated_cycles', 36_872 - 67 + 35 * 67],
      ['bench/two.c::text::stride', 'estimated_cycles', 2607 - 389 + 35 * 389],
    ])
    expect(results[1]?.metrics.slice(-3)).toEqual([
      { name: 'sys_count', value: 1, unit: 'calls', betterWhen: 'lower' },
      { name: 'sys_time', value: 4897, unit: 'ns', betterWhen: 'lower' },
      { name: 'sys_cpu_time', value: 3295, unit: 'ns', betterWhen: 'lower' },
    ])
    expect(environment).toMatchObject({ 'library:valgrind': '3.19.0', 'library:codspeed-cpp': '2.1.0' })
  })
})

describe('memory', () => {
  const artifact = sample('codspeed', 'memory/results/300.MemtrackArtifact.msgpack')
  const malloc = { pid: 1, tid: 1, timestamp: 5, addr: 16, type: 'Malloc', size: 100 }
  const wholeProcess = { uri: 'process', metric: 'peak_memory', value: 10_240, unit: 'B' }

  test('a folder: what each benchmark allocated, told apart by its times', () => {
    const { adapters, results, warnings } = readBenchmarkResults(sampleArchive('codspeed', 'memory'))
    expect([adapters, warnings]).toEqual([['codspeed'], []])
    expect(results.map(({ uri, instrument, value }) => [uri, instrument, value])).toEqual([
      ['bench/words.rs::blocks', 'memory', 10_240],
      ['bench/words.rs::grow', 'memory', 3200],
    ])
    expect(results[1]?.metrics).toEqual([
      { name: 'total_allocated', value: 6300, unit: 'B', betterWhen: 'lower' },
      { name: 'allocations', value: 6, unit: 'allocations', betterWhen: 'lower' },
      { name: 'memory_at_end', value: 3200, unit: 'B', betterWhen: 'lower' },
      { name: 'average_allocation', value: 1050, unit: 'B' },
    ])
  })

  test('one file alone: the whole process, from all frames', () => {
    const { results, warnings } = readBenchmarkResults(artifact)
    expect(results).toMatchObject([wholeProcess])
    expect(results[0]?.metrics.slice(0, 3).map(({ value }) => value)).toEqual([16_540, 16, 3200])
    expect(warnings).toEqual(['the file: no times tell the benchmarks apart, so the whole process is one.'])
  })

  test('a file that was cut is read up to there', () => {
    const { results, warnings } = readBenchmarkResults(artifact.subarray(0, -3))
    expect(results).toMatchObject([wholeProcess])
    expect(warnings[0]).toMatch(/^the file: it is cut after event \d+; what is before is read\.$/)
    const events = Buffer.concat([encode(malloc), encode(malloc).subarray(0, 20)])
    expect(readBenchmarkResults(events).warnings[0]).toMatch(/cut after event 1;/)
  })

  test('a block that moves is the same; mapped memory and unknown blocks are not counted', () => {
    expect(
      read([
        malloc,
        { ...malloc, type: 'Realloc', addr: 32, old_addr: 16, size: 300 },
        { ...malloc, type: 'Mmap', addr: 64, size: 10_000 },
        { ...malloc, type: 'Free', addr: 999, size: undefined },
      ])?.value,
    ).toBe(300)
  })

  test('two processes may have blocks at the same address', () => {
    expect(read([malloc, { ...malloc, pid: 2 }, { ...malloc, type: 'Free', pid: 2 }, malloc])?.value).toBe(
      200,
    )
  })

  test('a benchmark that allocates nothing has a peak of nothing', () => {
    const times = { uri_by_ts: [[9, 'a::none']], markers: [{ SampleStart: 7 }, { SampleEnd: 8 }] }
    const files = [
      { name: 'results/1.MemtrackArtifact.msgpack', data: encode(malloc) },
      { name: 'results/ExecutionTimestamps.msgpack', data: encode(times) },
    ]
    expect(readBenchmarkResults(createTar(files)).results).toMatchObject([{ uri: 'a::none', value: 0 }])
  })

  test('an event that is none is refused with its number', () => {
    expect(() => read([malloc, { ...malloc, addr: 'here' }])).toThrow(/\(at the file, event 2\.addr\)/)
  })

  test('whatever the bytes are, the answer is a report or a FormatError', () => {
    const change = fc.tuple(fc.nat(artifact.length), fc.nat(255))
    const events = Buffer.concat([encode(malloc), encode(malloc)])
    fc.assert(
      fc.property(fc.constantFrom(artifact, events), fc.array(change), fc.nat(), (whole, changes, length) => {
        const bytes = Uint8Array.from(whole)
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte
        expect(readsOrRefuses(bytes)).toBe(true)
        expect(readsOrRefuses(bytes.subarray(0, length % bytes.length))).toBe(true)
      }),
    )
  })
})

test('time and memory of one benchmark are two results of one uri', () => {
  const walltime = {
    creator: { name: 'pytest-codspeed', version: '4.5.0' },
    instrument: { type: 'walltime' },
    benchmarks: [{ name: 'a', uri: 'x::a', stats: { median_ns: 5 } }],
  }
  const event = { pid: 1, tid: 1, timestamp: 5, addr: 16, type: 'Malloc', size: 100 }
  const { results, warnings } = readBenchmarkResults(
    createTar([
      { name: 'p/results/1.json', data: JSON.stringify(walltime) },
      { name: 'p/results/1.MemtrackArtifact.msgpack', data: zstdCompressSync(encode(event)) },
      {
        name: 'p/results/ExecutionTimestamps.msgpack',
        data: encode({ uri_by_ts: [[9, 'x::a']], markers: [] }),
      },
      { name: 'p/perf.pipedata', data: 'profile' },
      { name: 'p/notes.txt', data: 'hello' },
    ]),
  )
  expect(results.map(({ uri, instrument, value }) => [uri, instrument, value])).toEqual([
    ['x::a', 'walltime', 5],
    ['x::a', 'memory', 100],
  ])
  expect(warnings).toEqual(["p/notes.txt: not read: it is no part of CodSpeed's folder."])
})

const withFiles = (...names: string[]) => createTar(names.map((name) => ({ name, data: '{}' })))

test('a folder without results is told from one with results, and from what is damaged', () => {
  expect(isEmptyProfileFolder(withFiles('./environment-1.json', './perf.pipedata'))).toBe(true)
  expect(isEmptyProfileFolder(new Uint8Array(1024))).toBe(true)
  expect(isEmptyProfileFolder(gzipSync(new Uint8Array(1024)))).toBe(true)
  expect(isEmptyProfileFolder(withFiles('./results/1.json'))).toBe(false)
  expect(isEmptyProfileFolder(withFiles('./1.out'))).toBe(false)
  expect(isEmptyProfileFolder(sampleArchive('codspeed', 'memory'))).toBe(false)
  expect(isEmptyProfileFolder(Buffer.from('hello'))).toBe(false)
  expect(() => isEmptyProfileFolder(gzipSync('hello').subarray(0, 12))).toThrow(FormatError)
})

test('a damaged file of a folder is refused with its path', () => {
  const environment = { name: 'environment-1.json', data: '{}' }
  const refused = (name: string, data: string) => () =>
    readBenchmarkResults(createTar([environment, { name, data }]))
  expect(refused('results/1.json', '{"creator"')).toThrow(/\(at results\/1\.json\)$/)
  expect(refused('1.out', 'version: 7\n')).toThrow(/\(at 1\.out\)$/)
  expect(refused('1.MemtrackArtifact.msgpack', '12')).toThrow(
    /\(at 1\.MemtrackArtifact\.msgpack, event 1\.type\)$/,
  )
})
