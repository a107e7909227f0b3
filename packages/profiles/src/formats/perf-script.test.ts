import { expect, test } from 'vitest'
import { detectProfileFormat, filterProfile } from '../index.ts'
import { readProfile } from '../read-profile.ts'
import { drawFunctions } from '../testing/draw-functions.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample } from '../testing/samples.ts'
import { readText, readTextAs } from '../testing/text-profile.ts'

const twoThreads = `
nginx   812/812   [001]  100.000000:    1001001 cpu-clock:u:
\t             6f1 gamma+0x1c (/usr/sbin/nginx)
\t             789 main+0x10 (/usr/sbin/nginx)

my worker 2   812/814   [000]  100.002500:    1001001 cpu-clock:u:
\t             6f1 gamma+0x20 (/usr/sbin/nginx)
\t             601 work loop(int, char const*)+0x4 (/usr/sbin/nginx)
`

test('stacks are outermost first, with periods and samples', () => {
  const profile = readText(twoThreads)
  expect(profile.format).toBe('perf_script')
  expect(profile.sampleTypes).toEqual([
    { type: 'samples', unit: 'count' },
    { type: 'cpu-clock:u', unit: 'nanoseconds' },
  ])
  expect(drawTree(profile)).toEqual([
    'main 1001001/0',
    '  gamma 1001001/1001001',
    'work loop(int, char const*) 1001001/0',
    '  gamma 1001001/1001001',
  ])
  expect(drawTree(profile, 0)[0]).toBe('main 1/0')
  expect(profile.functions.files).toEqual(['/usr/sbin/nginx', '/usr/sbin/nginx', '/usr/sbin/nginx'])
})

test('processes and threads are labels, and times the timeline', () => {
  const profile = readText(twoThreads)
  expect(profile.threads.map(({ name, totals }) => `${name}: ${totals.join(' ')}`)).toEqual([
    'nginx 812 / nginx 812: 1 1001001',
    'nginx 812 / my worker 2 814: 1 1001001',
  ])
  expect(profile.durationMs).toBe(2.5)
  expect(Array.from(profile.detail!.timeline!.timesMs)).toEqual([0, 2.5])
  const worker = filterProfile(profile, profile.detail, { labels: new Map([['thread', 'my worker 2 814']]) })
  expect(drawTree(worker)[0]).toBe('main 0/0')
})

test('several events are several sample types, and the first one is the timeline', () => {
  const profile = readText(`
app 7 1.000000: 500 cycles:u:
\t 10 hot (/bin/app)

app 7 1.001000: 3 cache-misses:u:
\t 10 hot (/bin/app)
\t 11 main (/bin/app)
`)
  expect(profile.sampleTypes.map(({ type }) => type)).toEqual([
    'cycles:u_samples',
    'cycles:u',
    'cache-misses:u_samples',
    'cache-misses:u',
  ])
  expect(drawTree(profile)).toEqual(['hot 500/500', 'main 0/0', '  hot 0/0'])
  expect(drawTree(profile, 3)).toEqual(['hot 0/0', 'main 3/0', '  hot 3/3'])
  expect(profile.detail!.timeline!.timesMs).toHaveLength(1)
})

test('one event of both kinds of cores of a hybrid processor is one sample type', () => {
  const profile = readText(`
app 7 1.000000: 500 cpu_atom/cycles/P:
\t 10 idle (/bin/app)

app 7 1.001000: 900 cpu_core/cycles/P:
\t 20 hot (/bin/app)

app 7 1.002000: 700 cpu_core/cycles/P:
\t 20 hot (/bin/app)
`)
  expect(profile.sampleTypes.map(({ type }) => type)).toEqual(['samples', 'cycles:P'])
  expect(drawTree(profile)).toEqual(['idle 500/500', 'hot 1600/1600'])
  expect(profile.detail!.timeline!.timesMs).toHaveLength(3)
})

test('what has no symbol is its binary, and what is inlined is a frame of it', () => {
  const profile = readText(`
app 7 1.000000: 1 cycles:
\tffffffffad14d115 [unknown] ([kernel.kallsyms])
\t            11c5 mix (inlined)
\t            11c5 shuffle+0x12 (/opt/my app/bin/app (deleted))
\t            3f00 [unknown] (/usr/lib/libfoo.so.1)
\t 606258d4c544155 [unknown] ([unknown])
`)
  expect(drawTree(profile)).toEqual([
    '<unknown> 1/0',
    '  [libfoo.so.1] 1/0',
    '    shuffle 1/0',
    '      mix 1/0',
    '        [kernel.kallsyms] 1/1',
  ])
  expect(profile.functions.files).toEqual([
    '',
    '/usr/lib/libfoo.so.1',
    '/opt/my app/bin/app (deleted)',
    '/opt/my app/bin/app (deleted)',
    '[kernel.kallsyms]',
  ])
})

test('source lines become lines of functions in source files', () => {
  const profile = readText(`
app 7 1.000000: 10 cycles:
\t             6f1 mix
  src/mix.c:7 (inlined)
\t             6f1 shuffle (/bin/app)
  src/shuffle.c:12
\t             700 start (/lib/libc.so.6)
  libc.so.6[700]

app 7 1.001000: 20 cycles:
\t             6f8 shuffle (/bin/app)
  src/shuffle.c:14
\t             700 start (/lib/libc.so.6)
  libc.so.6[700]
`)
  expect(drawTree(profile)).toEqual(['start 30/0', '  shuffle 30/20', '    mix 10/10'])
  expect(profile.functions.files).toEqual(['/lib/libc.so.6', 'src/shuffle.c', 'src/mix.c'])
  const { nodes, lines, totalValues, selfValues } = profile.detail!.lines!
  const rows = Array.from(nodes, (node, row) => [node, lines[row], totalValues[1]![row], selfValues[1]![row]])
  expect(rows).toEqual([
    [2, 12, 10, 0],
    [2, 14, 20, 20],
    [3, 7, 10, 10],
  ])
})

test.each([
  ['no period', 'app 7 [000] 1.000000: sched:sched_switch: prev_comm=app prev_pid=7', 'samples'],
  ['no time', 'app 7/8 250000 cycles:u:', 'samples cycles:u'],
  ['no event', 'app 7/8 [002] 1.000000:', 'samples'],
  ['nanoseconds', 'app 7/8 [002] 1.000000123: 1 cycles:', 'samples cycles'],
  ['one kind of cores', 'app 7/8 [002] 1.000000: 1 cpu_core/instructions/:', 'samples instructions'],
  ['an event by its number', 'app 7/8 [002] 1.0: 1 cpu_atom/event=0x3c/:', 'samples cpu_atom/event=0x3c/'],
])('a head with %s', (_, head, types) => {
  const profile = readTextAs('perf_script', `${head}\n\t 10 main+0x1 (/bin/app)\n\n`)
  expect(profile.sampleTypes.map(({ type }) => type).join(' ')).toBe(types)
  expect(drawTree(profile, 0)).toEqual(['main 1/1'])
  expect(profile.warnings).toEqual([])
})

test('without stacks, the frame is at the end of the line', () => {
  const profile = readText(`
            true  1234 [001]   203.100000:     250000 cpu-clock:  ffffffffad14d115 native_write_msr+0x6 ([kernel.kallsyms])
            true  1234 [001]   203.200000:     250000 cpu-clock:      55d0a1f0c6f1 main+0x6 (/bin/true)
`)
  expect(drawTree(profile)).toEqual(['native_write_msr 250000/250000', 'main 250000/250000'])
})

test('what report_sample.py of simpleperf prints has tabs behind names and addresses', () => {
  const profile = readText(`
worker one\t25122 [007] 115539.936601:\t\t1000000 task-clock:u:
ffffffc0081234ab\tel0_sync ([kernel.kallsyms])
        b3cea6c4\tLock::unlock() const (/system/lib/libc.so)
        9a3a607f\tbase.odex[+41107f] (/data/app/oat/arm/base.odex)

`)
  expect(drawTree(profile)).toEqual([
    '[base.odex] 1000000/0',
    '  Lock::unlock() const 1000000/0',
    '    el0_sync 1000000/1000000',
  ])
  expect(profile.threads.map(({ name }) => name)).toEqual(['worker one 25122'])
  expect(profile.warnings).toEqual([])
})

test('a header, and tabs that became spaces, change nothing', () => {
  const text = `# ========\n# captured on    : Sat Nov 21 20:51:59 2026\n#\n${twoThreads.trim().replaceAll('\t', '  ')}`
  expect(drawTree(readText(text))).toEqual(drawTree(readText(twoThreads)))
})

test('what is left out is said', () => {
  const profile = readText(`
app 7 0.000000: PERF_RECORD_COMM exec: app:7/7
app 7 0.000000: PERF_RECORD_MMAP2 7/7: [0x0(0x1000) @ 0 08:01 1 1]: r-xp /bin/app

app 7 1.000000: 10 cycles:
\t 10 main (/bin/app)
 0x4f2/0x510/P/-/-/1 0x4f0/0x4f1/M/-/-/2
 ABI:2 AX:0x0

app 7 1.001000: 10 cycles:

`)
  expect(drawTree(profile)).toEqual(['main 10/10', '<unknown> 10/10'])
  expect(profile.warnings).toEqual([
    '1 samples have no stack.',
    'Branch stacks of 1 samples were left out.',
    '2 records that are not samples were left out.',
    '1 lines were not understood, the first one is "ABI:2 AX:0x0".',
  ])
})

test('a record of a name is no sample, and is not when the recording starts', () => {
  const profile = readText(`
systemd     0 [000]     0.000000: PERF_RECORD_COMM: systemd:1/1
app 7 [000] 63587.001000: PERF_RECORD_FORK(7:8):(7:7)
app 7 [000] 63587.001000: 10 cycles:
\t 10 main (/bin/app)

app 7 [000] 63587.002000: PERF_RECORD_COMM: a worker:7/8
app 7 [000] 63587.003000: 10 cycles:
\t 10 main (/bin/app)
`)
  expect(profile.sampleTypes.map(({ type }) => type)).toEqual(['samples', 'cycles'])
  expect(drawTree(profile)).toEqual(['main 20/20'])
  expect(profile.durationMs).toBe(2)
  expect(profile.warnings).toEqual(['3 records that are not samples were left out.'])
})

test('a header may be as long as a machine with many programs of BPF makes it', () => {
  const programs = Array.from({ length: 700 }, (_, id) => `# bpf_prog_info ${id}: bpf_prog_6deef7357e7b4530`)
  expect(drawTree(readText(`${programs.join('\n')}\n#\n${twoThreads}`))).toEqual(
    drawTree(readText(twoThreads)),
  )
})

test('text that is no output of perf script is not taken for it', () => {
  expect(detectProfileFormat(new TextEncoder().encode('main;parse;read 12\n'))).toBe('collapsed')
  expect(() => readTextAs('perf_script', 'nothing of that kind\n')).toThrow(/no samples/)
})

// What `perf report --no-children -g none -F overhead,sample,period,comm,sym` said of the same recording.
test('a recording has what perf report says of it', () => {
  for (const path of ['perf_script/threads.txt', 'perf_script/lines.txt']) {
    const profile = readProfile(sample(path))
    expect(profile.sampleCount).toBe(36)
    expect(drawFunctions(profile, 2)).toEqual(['shuffle 145728625/145728625', 'fib 35175875/35175875'])
    expect(drawFunctions(profile, 2, 0)).toEqual(['shuffle 29/29', 'fib 7/7'])
    expect(profile.warnings).toEqual([])
  }
  const threads = readProfile(sample('perf_script/threads.txt')).threads.map(({ name, totals }) => [
    name,
    totals,
  ])
  expect(threads).toEqual([
    [expect.stringMatching(/^threads \d+ \/ worker two \d+$/), [29, 145_728_625]],
    [expect.stringMatching(/^threads (\d+) \/ threads \1$/), [7, 35_175_875]],
  ])
})
