import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { drawFunctions } from '../testing/draw-functions.ts'
import { fixture, fixturePaths } from '../testing/fixtures.ts'

/**
 * Added up from the text by a script of its own (Python: blocks between empty lines, the period of each at its first frame, and
 * once at each of the others): samples, samples of threads, and what functions have themselves and in all.
 */
const expected: Record<string, { threads: Record<string, number>; functions: string[] }> = {
  'perf-script/forks.linux-perf.txt': {
    threads: { 'forks 9': 138, 'swapper 0': 324, 'forks 11': 50, 'forks 10': 49 },
    functions: [
      '[kernel.kallsyms] 325325325/325325325',
      '_Z5alphav 93093093/94094094',
      '_Z4betav 92092092/93093093',
      '_Z5gammav 26026026/26026026',
      '_Z5deltav 23023023/68068068',
    ],
  },
  'perf-script/perf-script-loop.txt.gz': {
    threads: { 'loop 7259': 599, 'loop 7282': 480 },
    functions: [
      'fib 1178356704/1196392776',
      'memory_walk 943887768/961923840',
      'irqentry_exit_to_user_mode 12024048/22044088',
      'finish_task_switch.isra.0 8016032/8016032',
      'handle_softirqs 4008016/14028056',
    ],
  },
  'perf-script/rust-mangled.linux-perf.txt': {
    threads: { 'trace 6061': 96 },
    functions: [
      '_RNvXsb_NtCsfiKabdrepoq_5alloc3vecINtB5_3VecdEINtNtNtCsTACXlTRjQ_4core3ops5index5IndexjE5indexCs8K9WJNlS7Dz_5trace 254237280/254237280',
      '_RNvNvNtNtCsTACXlTRjQ_4core5slice3raw18from_raw_parts_mut18precondition_checkCs8K9WJNlS7Dz_5trace 220338976/220338976',
    ],
  },
  'perf-script/simple-with-header.linux-perf.txt': {
    threads: { 'simple-terminat 9': 136 },
    functions: [
      '_Z4betav 47047047/47047047',
      '_Z5alphav 44044044/44044044',
      '_Z5deltav 23023023/69069069',
      '_Z5gammav 22022022/22022022',
    ],
  },
  'perf-script/simple.linux-perf.txt': {
    threads: { 'simple-terminat 10': 1 },
    functions: ['_Z4betav 1001001/1001001'],
  },
}

const paths = fixturePaths('perf-script')

test.runIf(paths.length > 0)('every file has an expectation', () => {
  expect(paths).toEqual(Object.keys(expected).toSorted())
})

test.runIf(paths.length > 0).each(paths)('%s has the threads and functions of the text', (path) => {
  const { threads, functions } = expected[path]!
  const profile = readProfile(fixture(path))
  expect(profile.format).toBe('perf_script')
  expect(Object.fromEntries(profile.threads.map(({ name, totals }) => [name, totals[0]]))).toEqual(threads)
  expect(drawFunctions(profile, functions.length)).toEqual(functions)
  expect(profile.detail!.timeline!.timesMs).toHaveLength(profile.sampleCount)
  expect(profile.warnings).toEqual([])
})
