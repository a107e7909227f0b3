import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { filterProfile } from '../questions/filter-profile.ts'
import { topFunctions } from '../questions/top-functions.ts'
import { readProfile } from '../read-profile.ts'
import {
  annotatedOutsideCircles,
  asAnnotated,
  callgrindAnnotate,
  hasCallgrindAnnotate,
} from '../testing/callgrind-annotate.ts'
import { fixture, fixturePaths } from '../testing/fixtures.ts'

const simulation = 'codspeed/simulation-tinybench/9884.out'
const paths = [
  ...fixturePaths('callgrind'),
  ...fixturePaths('codspeed').filter((path) => path === simulation),
]
const isRefused = (path: string) => /empty|version_too_high/.test(path)
const files = paths.filter((path) => /\.(out|log)$/.test(path) && !isRefused(path))
const has = (path: string) => paths.includes(path)
const sum = (column: Float64Array) => column.reduce((all, value) => all + value, 0)
const typeOf = (profile: ReturnType<typeof readProfile>, type: string) =>
  profile.sampleTypes.findIndex((sampleType) => sampleType.type === type)

test.runIf(paths.some(isRefused)).each([
  ['callgrind/callgrind.empty.out', 'the file is empty'],
  ['callgrind/callgrind.invalid.version_too_high.out', 'callgrind: version "2" of the format'],
])('%s is refused', (path, message) => {
  expect(() => readProfile(fixture(path))).toThrow(message)
})

test.runIf(files.length > 0).each(files)('%s is recognised and read', (path) => {
  const profile = readProfile(fixture(path))
  expect(profile.format).toBe('callgrind')
  expect(profile.sampleCount).toBeGreaterThan(0)
})

// It shows nothing of functions that have no file.
const annotated = files.filter((path) => !/no_totals|summary_and/.test(path))
test.runIf(annotated.length > 0 && hasCallgrindAnnotate).each(annotated)(
  '%s has the self values of callgrind_annotate, for each event',
  (path) => {
    const bytes = fixture(path)
    const profile = readProfile(bytes)
    const folder = mkdtempSync(join(tmpdir(), 'flamegate-callgrind-'))
    const copy = join(folder, 'callgrind.out')
    writeFileSync(copy, bytes)
    const events = profile.sampleTypes
      .map(({ type }) => type)
      .filter((type) => type !== 'iai_estimated_cycles')
    for (const event of events) {
      const expected = [...callgrindAnnotate(copy, event)].filter(([, value]) => value > 0)
      const found = [...asAnnotated(profile, event)].filter(([, value]) => value > 0)
      expect(new Map(found)).toEqual(new Map(expected))
    }
    rmSync(folder, { recursive: true })
  },
  60_000,
)

// Functions that call themselves it counts again and again (`fib'2`), and of one where counting was stopped, the file has no lines.
// In two files calls cost more than their callees have: one program ends within a call, and one file was written by hand.
const counted = annotated.filter((path) => !/when_entry_point|cfn-reset/.test(path))
test.runIf(counted.length > 0 && hasCallgrindAnnotate).each(counted)(
  '%s has the totals of callgrind_annotate, for each function outside circles and each event',
  (path) => {
    const bytes = fixture(path)
    const profile = readProfile(bytes)
    const outside = annotatedOutsideCircles(profile)
    const folder = mkdtempSync(join(tmpdir(), 'flamegate-callgrind-'))
    const copy = join(folder, 'callgrind.out')
    writeFileSync(copy, bytes)
    const events = profile.sampleTypes
      .map(({ type }) => type)
      .filter((type) => type !== 'iai_estimated_cycles')
    for (const event of events) {
      const expected = [...callgrindAnnotate(copy, event, { inclusive: true })]
      const compared = expected.filter(
        ([name, value]) =>
          value > 0 &&
          outside.has(name) &&
          !/'\d+$/.test(name) &&
          name !== '???:callgrind_stop_instrumentation',
      )
      const found = asAnnotated(profile, event, { inclusive: true })
      expect(compared.length).toBeGreaterThan(0)
      expect(compared.map(([name]) => [name, found.get(name)])).toEqual(compared)
    }
    rmSync(folder, { recursive: true })
  },
  60_000,
)

// The parts are the ground truths of the fixtures' README; the totals are those of the `totals:` lines.
test.runIf(has('callgrind/combined-two-benchmarks.out'))('the benchmarks of a file can be told apart', () => {
  const profile = readProfile(fixture('callgrind/combined-two-benchmarks.out'))
  const totals = (benchmark: string, type: string) => {
    const labels = new Map([['benchmark', benchmark]])
    return sum(filterProfile(profile, profile.detail, { labels }).selfValues[typeOf(profile, type)]!)
  }
  expect(totals('bench/cg.c::bench_hash', 'Ir')).toBe(1_203_297)
  expect(totals('bench/cg.c::bench_walk', 'Ir')).toBe(6_339_281)
  expect(totals('bench/cg.c::bench_walk', 'D1mr')).toBe(1_048_650)
  expect(totals('bench/cg.c::bench_walk', 'sysTime')).toBe(156_814)
  // Ir + Dr + Dw + 4 x L1 misses + 30 x LL misses of the totals line of part 3.
  const cycles = 6_339_281 + 1_058_473 + 1_058_332 + 4 * (100 + 1_048_650 + 16_420) + 30 * (100 + 65 + 16_412)
  expect(totals('bench/cg.c::bench_walk', 'iai_estimated_cycles')).toBe(cycles)
})

// `callgrind_annotate --inclusive=yes --threshold=100 --show=Ir`: functions with most that do not call themselves, and are not
// called by what they call.
const totals: Record<string, [functionName: string, total: number][]> = {
  'callgrind/combined-two-benchmarks.out': [
    ['bench_walk', 6_339_278],
    ['stride_walk', 6_292_975],
    ['bench_hash', 1_203_294],
    ['__memset_avx2_unaligned_erms', 1_048_592],
    ['hash_bytes', 616_500],
    ['sort_work', 584_966],
    ['qsort', 553_163],
    ['msort_with_tmp.part.0', 552_606],
    ['cmp', 59_268],
    ['fib', 46_295],
    ['_dl_runtime_resolve_xsave', 2567],
  ],
  [simulation]: [
    ['Builtins_PromiseFulfillReactionJob', 428_785],
    ['Builtins_RunMicrotasks', 427_269],
    ['Builtins_CEntry_Return1_ArgvOnStack_NoBuiltinExit', 220_562],
    ['v8::internal::Runtime_NumberToStringSlow(int, unsigned long*, v8::internal::Isolate*)', 156_564],
    ['Builtins_ArrayPrototypeJoin', 127_638],
    ['v8::internal::Runtime_CompileLazy(int, unsigned long*, v8::internal::Isolate*)', 54_775],
    ['v8::internal::IntToCString(int, v8::base::Vector<char>)', 22_994],
  ],
}
test.runIf(files.length > 0).each(Object.keys(totals).filter(has))(
  '%s has the totals of callgrind_annotate, in circles up to a thousandth of everything',
  (path) => {
    const profile = readProfile(fixture(path))
    const rows = topFunctions(profile, { by: 'total', limit: Infinity })
    const whole = sum(profile.selfValues[0]!)
    for (const [functionName, total] of totals[path]!) {
      const row = rows.find((candidate) => candidate.functionName === functionName)
      const isInCircle = profile.functionTotals!.isKnown[profile.functions.names.indexOf(functionName)] === 0
      const isNear = isInCircle && Math.abs((row?.totalValue ?? NaN) - total) < 1e-3 * whole
      expect([functionName, isNear ? total : row?.totalValue]).toEqual([functionName, total])
    }
  },
)

/**
 * gungraun writes stacks in which each function is below all that cost more, so that what is at and below one is its total. The
 * calls of this file add up to 2 more than its lines: the program ends within one of them.
 */
test.runIf(has('callgrind/callgrind.when_entry_point.exp_stacks.gz'))(
  'totals are those that gungraun expects, up to 2 instructions of 3,473',
  () => {
    const text = gunzipSync(fixture('callgrind/callgrind.when_entry_point.exp_stacks.gz')).toString()
    const expected: [name: string, total: number][] = []
    let total = 0
    for (const line of text.trim().split('\n').toReversed()) {
      total += Number(line.slice(line.lastIndexOf(' ') + 1))
      const stack = line.slice(0, line.lastIndexOf(' '))
      expected.push([stack.slice(stack.lastIndexOf(';') + 1), total])
    }
    const rows = new Map<string, number>()
    for (const row of topFunctions(readProfile(fixture('callgrind/callgrind.when_entry_point.out')), {
      by: 'total',
      limit: Infinity,
    })) {
      const file = row.file.replace(/^(\/rustc\/[0-9a-f]{8})[0-9a-f]*\/+/, '$1/')
      rows.set(`${file}:${row.functionName}`, row.totalValue)
    }
    expect(expected.length).toBeGreaterThan(100)
    for (const [name, value] of expected) {
      // `file.rs:name [binary]`; without a file when it is not known, without a binary when that is not known either.
      const [, file, functionName, binary = ''] =
        /^(?:(\S+\.\w+):(?!:))?(.*?)(?: \[(.*)\])?$/.exec(name) ?? []
      const found = rows.get(`${file ?? binary}:${functionName}`)
      expect([name, Math.abs((found ?? NaN) - value) <= 2]).toEqual([name, true])
    }
  },
)
