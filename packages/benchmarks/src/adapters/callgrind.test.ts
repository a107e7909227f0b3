import { expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

function read(parts: string, version = 1) {
  const head = `# callgrind format\nversion: ${version}\ncreator: callgrind-3.21.0\n`
  return readBenchmarkResults(utf8(`${head}${parts}`), { adapter: 'callgrind' })
}

test('with caches: cycles follow from the hits of each level', () => {
  const { results, environment } = readBenchmarkResults(sample('callgrind', 'caches.out'))
  // totals: 393221 65536 1 2 4097 1 2 4097 1, so 458,758 accesses, of which 4100 miss both caches.
  expect(results).toMatchObject([
    {
      uri: 'sum --size 65536',
      instrument: 'simulation',
      metric: 'estimated_cycles',
      unit: 'cycles',
      value: 454_658 + 35 * 4100,
      statistic: 'single',
    },
  ])
  expect(results[0]?.metrics.map(({ name, value }) => [name, value])).toEqual([
    ['l1_hits', 454_658],
    ['ll_hits', 0],
    ['ram_hits', 4100],
    ['l1_misses', 4100],
    ['ll_misses', 4100],
    ['instructions', 393_221],
    ['dr', 65_536],
    ['dw', 1],
  ])
  expect(environment).toEqual({
    'library:valgrind': '3.19.0',
    i1_cache: '32768 B, 64 B, 8-way associative',
    d1_cache: '32768 B, 64 B, 8-way associative',
    ll_cache: '8388608 B, 64 B, 16-way associative',
  })
})

test('without caches the instructions are the value', () => {
  expect(readBenchmarkResults(sample('callgrind', 'instructions.out')).results).toMatchObject([
    { metric: 'instructions', unit: 'instructions', value: 393_221, metrics: [] },
  ])
  const [branches] = readBenchmarkResults(sample('callgrind', 'branches.out')).results
  expect(branches?.metrics.slice(0, 2)).toMatchObject([
    { name: 'conditional_branches', value: 65_536 },
    { name: 'conditional_branches_mispredicted', value: 10 },
  ])
})

test('each part that the program asked for is one result; zeros at the end are left off in the file', () => {
  const { results } = read(`cmd: ./a
part: 1
desc: Trigger: Client Request: bench/a.c::first
event: sysTime : sysTime (elapsed us)
events: Ir sysCount sysTime
totals: 10 2 3

part: 2
desc: Trigger: Client Request: bench/a.c::second
event: sysTime : sysTime (elapsed us)
events: Ir sysCount sysTime
totals: 20

part: 3
desc: Trigger: Program termination
events: Ir sysCount sysTime
totals: 0
`)
  expect(results.map(({ uri, name, value, metrics }) => [uri, name, value, metrics.at(-1)])).toEqual([
    ['bench/a.c::first', 'first', 10, { name: 'sys_time', value: 3000, unit: 'ns', betterWhen: 'lower' }],
    ['bench/a.c::second', 'second', 20, { name: 'sys_time', value: 0, unit: 'ns', betterWhen: 'lower' }],
  ])
})

test('the command names a part without folders and hashes', () => {
  const part = 'desc: Trigger: Program termination\nevents: Ir\ntotals: 10\n'
  expect(
    read(`cmd: /home/me/deps/my-bin-3d69ca9f0e146ded --out=/tmp/x run /etc/hosts\n${part}`).results,
  ).toMatchObject([{ uri: 'my-bin --out=x run hosts' }])
})

test('the summary counts where the totals are cut off; without either the part is named', () => {
  const events = 'cmd: ./a\npart: 1\nevents: Ir Dr\n'
  expect(read(`${events}summary: 12 5\n\nfn=main\n1 2 3\n`).results).toMatchObject([{ value: 12 }])
  expect(read(`${events}summary: 12 5\n\nfn=main\n1 11 5\n\ntotals: 11 5\n`).results).toMatchObject([
    { value: 11 },
  ])
  expect(read(`${events}summary: 0\n\nfn=main\n1 2 3\n`).warnings).toEqual([
    'line 5: "a" has no totals, ignored; the file may be cut.',
    'the file: there is no finished benchmark in it.',
  ])
})

test('counts that cannot be give no cycles, and it says so', () => {
  const { results, warnings } = read(`cmd: ./a
part: 1
events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw
totals: 11 12 13 14 15 16 17 18 19
`)
  expect(results).toMatchObject([{ metric: 'instructions', value: 11 }])
  expect(warnings[0]).toMatch(/^line 5: more misses of a cache than accesses/)
})

test('a newer version, a count that is none and too many of them are refused with their line', () => {
  expect(() => read('part: 1\nevents: Ir\ntotals: 1\n', 2)).toThrow(/Only version 1.*\(line 2\)/)
  expect(() => read('part: 1\nevents: Ir\ntotals: many\n')).toThrow(/"many" is no count \(line 6\)/)
  expect(() => read('part: 1\nevents: Ir\ntotals: 1 2\n')).toThrow(/at most 1 counts.*\(line 6\)/)
})
