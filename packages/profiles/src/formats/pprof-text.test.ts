import { expect, test } from 'vitest'
import { topFunctions } from '../questions/top-functions.ts'
import { readProfile } from '../read-profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample } from '../testing/samples.ts'

const read = (text: string) => readProfile(new TextEncoder().encode(text))

/** Without the indentation that the source has here. */
function lines(text: string): string {
  return text.replaceAll(/^ {4}/gm, '').trimStart()
}

test.each(['\\"'.repeat(100_000), 'c'.repeat(16_000_000)])(
  'labels whose quotes do not end take no time',
  (end) => {
    const begin = process.threadCpuUsage()
    const profile = read(`goroutine profile: total 1\n1 @ 0x1\n# labels: {"a":"b", "c":"${end}\n`)
    expect(process.threadCpuUsage(begin).user / 1000).toBeLessThan(1000)
    expect(profile.labels.map(({ name, values }) => [name, values[0]!.value])).toEqual([['a', 'b']])
  },
)

test('goroutines are counted by stack; the comments of Go are the frames, inlined ones too', () => {
  const profile = read(
    lines(`
    goroutine profile: total 42
    30 @ 0x4378b6 0x40619b 0x4b4edb 0x461481
    # labels: {"tenant":"c", "job":"a \\"b\\""}
    #	0x4b4eda	main.receive+0x1a	/src/main.go:23
    #	0x4b4eda	main.(*Worker).run+0x2a	/src/worker.go:7

    12 @ 0x4378b6 0x45e515
    #	0x45e514	time.Sleep+0x134	/go/src/runtime/time.go:195
    `),
  )
  expect(drawTree(profile)).toEqual(['main.(*Worker).run 30/0', '  main.receive 30/30', 'time.Sleep 12/12'])
  expect(profile).toMatchObject({
    format: 'pprof_text',
    sampleTypes: [{ type: 'goroutine', unit: 'count' }],
    sampleCount: 42,
    functions: { files: ['/src/main.go', '/src/worker.go', '/go/src/runtime/time.go'] },
    labels: [
      { name: 'tenant', values: [{ value: 'c', weight: 30 }] },
      { name: 'job', values: [{ value: 'a "b"' }] },
    ],
    warnings: [],
  })
  expect([...profile.detail!.lines!.lines].toSorted((a, b) => a - b)).toEqual([7, 23, 195])
})

test('a heap of Go is scaled up from its samples, by half the rate that it says', () => {
  const profile = read(
    lines(`
    heap profile: 3: 1572864 [5: 2621440] @ heap/1048576
    3: 1572864 [5: 2621440] @ 0x4fd631 0x4385b2
    #	0x4fd630	main.leak+0x50	/src/main.go:86
    #	0x4385b1	main.main+0x22b	/src/main.go:169

    # runtime.MemStats
    # Alloc = 17052592
    `),
  )
  // 1 / (1 - exp(-1)), since objects are as large as the rate.
  expect(drawTree(profile)).toEqual(['main.main 2488234/0', '  main.leak 2488234/2488234'])
  expect(profile.selfValues.map((values) => values[2])).toEqual([7, 4147057, 4, 2488234])
  expect(profile.sampleTypes.map(({ type }) => type)).toEqual([
    'alloc_objects',
    'alloc_space',
    'inuse_objects',
    'inuse_space',
  ])
  expect(profile.labels).toMatchObject([{ name: 'bytes', values: [{ value: '524288' }] }])
})

test('what tcmalloc says without sampling is taken as it is, addresses become their binary', () => {
  const profile = read(
    lines(`
    heap profile:     2:  300 [    2:  300] @ growthz
         1:  100 [     1:  100] @ 0x400010 0x400020 0x7f0000000010
         1:  200 [     1:  200] @ 0x400010 0x7f0000000010
    --- Memory map: ---
      build=/srv
      00400000-00fcb000: $build/server
      7f0000000000-7f0000001000: /lib/libc.so
      00fcb000-00fcc000 rw-p 00000000 08:01 12 /srv/data
    `),
  )
  expect(profile.sampleTypes).toEqual([
    { type: 'objects', unit: 'count' },
    { type: 'space', unit: 'bytes' },
  ])
  expect(drawTree(profile)).toEqual(['[libc.so] 300/0', '  [server] 300/200', '    [server] 100/100'])
  expect(profile.functions.files).toEqual(['/srv/server', '/lib/libc.so'])
  expect(profile.warnings).toEqual(['3 of 3 locations have no function names.'])
})

/** `go tool pprof -top -unit=ns` said of the same mutexes, as protocol buffers: 33769ns and 61143478ns of 61177247ns. */
test('waiting for mutexes of Go is in cycles, and becomes nanoseconds', () => {
  const profile = read(
    lines(`
    --- mutex:
    cycles/second=2596171673
    sampling period=1
    158738967 1 @ 0x4b550a 0x4b54f1 0x4374f2 0x461481
    #	0x4b5509	sync.(*Mutex).Unlock+0x3a9	sync/mutex.go:223
    #	0x4b54f0	main.main+0x390			example.com/demo/main.go:69
    #	0x4374f1	runtime.main+0x211		runtime/proc.go:250

    87672 4 @ 0x4b4f53 0x4b4f3c 0x461481
    #	0x4b4f52	sync.(*Mutex).Unlock+0x52	sync/mutex.go:223
    #	0x4b4f3b	main.lockAndWait+0x3b		example.com/demo/main.go:28
    `),
  )
  expect(drawTree(profile)).toEqual([
    'runtime.main 61143478/0',
    '  main.main 61143478/0',
    '    sync.(*Mutex).Unlock 61143478/61143478',
    'main.lockAndWait 33769/0',
    '  sync.(*Mutex).Unlock 33769/33769',
  ])
  expect(drawTree(profile, 0)[3]).toBe('main.lockAndWait 4/0')
})

test('contention of C++ is multiplied by the period of its samples', () => {
  const profile = read(
    lines(`
    --- contentionz 1 ---
    cycles/second = 2000000000
    sampling period = 100
    ms since reset = 1500
    discarded samples = 0
      4000       3 @ 0x400011
    `),
  )
  expect(profile.selfValues.map((values) => values[1])).toEqual([300, 200_000])
  expect(profile).toMatchObject({
    durationMs: 1500,
    sampleTypes: [{}, { type: 'delay', unit: 'nanoseconds' }],
  })
})

test('threads are told by their names, and one with the stack of the one before has it, too', () => {
  const profile = read(
    lines(`
    --- threadz 1 ---

    --- Thread 7f794ab90940 (name: main/14748) stack: ---
      PC:  0x00bc8f1c: poll
      0x0040be31: main
    --- Thread 7f794964e700 (name: worker/14751) stack: ---
      PC: 0x00bc8f1c 0x0040beff
          creator: 0x0040be31
    --- Thread 7f7948978700 (name: worker/14759) stack: ---
      [same as previous thread]
    --- Memory map: ---
      00400000-00fcb000: /srv/server
    `),
  )
  expect(drawTree(profile)).toEqual(['main 3/0', '  poll 1/1', '  [server] 2/0', '    poll 2/2'])
  expect(profile.threads).toEqual([
    { name: 'main', totals: [1] },
    { name: 'worker', totals: [2] },
  ])
})

test('of Java, what is allocated is scaled up, and frames are named at the end', () => {
  const heap = read(
    lines(`
    --- heapz 1 ---
    format = java
    resolution = bytes
              48     1 @ 0x00000003 0x00000004

     0x0000003 com.example.Cache.put (Cache.java:12)
     0x0000004 com.example.Main.main (Main.java:3)
    `),
  )
  expect(drawTree(heap)).toEqual(['com.example.Main.main 524312/0', '  com.example.Cache.put 524312/524312'])
  expect(heap.functions.files).toEqual(['Main.java', 'Cache.java'].toReversed())
  const contention = read(
    lines(`
    --- contentionz 1 ---
    format = java
    resolution = microseconds
    sampling period = 100
               14     2 @ 0x00000003
     0x0000003 GC
    `),
  )
  expect(contention.sampleTypes[1]).toEqual({ type: 'delay', unit: 'microseconds' })
  expect(contention.selfValues.map((values) => values[1])).toEqual([200, 1400])
})

/** Words of a binary CPU profile. */
function cpuProfile(
  words: (number | bigint)[],
  { size = 8, isLittleEndian = true } = {},
  text = '',
): Uint8Array {
  const bytes = new Uint8Array(words.length * size)
  const view = new DataView(bytes.buffer)
  for (const [index, word] of words.entries()) {
    if (size === 8) view.setBigUint64(index * 8, BigInt(word), isLittleEndian)
    else view.setUint32(index * 4, Number(word), isLittleEndian)
  }
  return Buffer.concat([bytes, new TextEncoder().encode(text)])
}

const header = [0, 3, 0, 10_000, 0]
const end = [0, 1, 0]
const map = '00400000-00500000 r-xp 00000000 08:01 12  /srv/server\n00600000-00700000: /lib/libz.so\n'

test.each([
  { size: 8, isLittleEndian: true },
  { size: 8, isLittleEndian: false },
  { size: 4, isLittleEndian: true },
  { size: 4, isLittleEndian: false },
])('CPU profiles with words of %o are read', (layout) => {
  const profile = readProfile(
    cpuProfile([...header, 2, 2, 0x400010, 0x600020, 3, 1, 0x400030, ...end], layout, map),
  )
  expect(drawTree(profile)).toEqual([
    '[libz.so] 20000000/0',
    '  [server] 20000000/20000000',
    '[server] 30000000/30000000',
  ])
  expect(profile).toMatchObject({ format: 'pprof_text', sampleCount: 5, warnings: [expect.any(String)] })
})

test('the frame of the signal handler that all stacks have, and a doubled leaf, are taken out', () => {
  const stacks = Array.from({ length: 40 }, (_, index) => [1, 3, 0x400010, 0x600100, 0x400100 + index])
  const handled = readProfile(cpuProfile([...header, ...stacks.flat(), ...end], {}, map))
  expect(drawTree(handled)).toEqual(['[server] 400000000/0', '  [server] 400000000/400000000'])
  const doubled = readProfile(
    cpuProfile([...header, 1, 3, 0x600010, 0x600010, 0x400020, 1, 2, 0x600020, 0x400020, ...end], {}, map),
  )
  expect(drawTree(doubled)).toEqual(['[server] 20000000/0', '  [libz.so] 20000000/20000000'])
})

test('a CPU profile without an end is read with a warning, one that ends within a stack is refused', () => {
  const whole = cpuProfile([...header, 2, 1, 0x400010])
  expect(readProfile(whole).warnings).toContain('The file has no end mark: it may be cut off.')
  expect(() => readProfile(whole.subarray(0, -8))).toThrow('pprof_text: the file is cut off (at byte 56)')
  expect(() => readProfile(cpuProfile([...header, 1, 2n ** 60n, 1]))).toThrow('the file is cut off')
})

test.each([
  [
    'heap profile: 1: 2 [1: 2] @ heap/512\nhello\n',
    'expected a row of a heap profile, found "hello" (at line 2)',
  ],
  ['heap profile: 1: 2 [1: 2] @ heap/512\n0: 5 [1: 2] @ 0x1\n', 'a row has bytes of no objects (at line 2)'],
  [
    'heap profile: 1: 2 [1: 2] @ heap_v9/512\n1: 2 [1: 2] @ 0x1\n',
    'heap profiles of the kind "heap_v9" are not known (at line 1)',
  ],
  ['goroutine profile: total 2\n2 stacks\n', 'expected a count and addresses, found "2 stacks" (at line 2)'],
  ['goroutine profile: total 2\n2 @ 0x11112222333344445\n', 'an address is too long (at line 2)'],
  ['goroutine profile: total 0\n', 'the profile holds no samples'],
  [
    '--- mutex:\ncycles/second=fast\n1 2 @ 0x1\n',
    'expected a number, found "cycles/second=fast" (at line 2)',
  ],
  ['--- mutex:\nfoo=1\n', 'the attribute "foo" is not known (at line 2)'],
  ['--- mutex:\n1 2 0x1\n', 'expected a row of a contention profile, found "1 2 0x1" (at line 2)'],
  ['--- heapz 1 ---\nformat = java\n  5 1 @ 0x1\n', 'expected a resolution (at line 3)'],
  [
    '--- threadz 1 ---\n--- Thread 7f (name: a/1) stack: ---\n 0x1\n--- hello\n',
    'expected a thread, found "--- hello" (at line 4)',
  ],
])('%j is refused', (text, message) => {
  expect(() => read(text)).toThrow(`pprof_text: ${message}`)
})

/**
 * `go tool pprof -top -nodecount=0 -nodefraction=0 -unit=B` and `-unit=count` said so of the heap and the goroutines of the
 * same moment, as protocol buffers.
 */
test('real texts of Go have the numbers of go tool pprof', () => {
  const heap = readProfile(sample('pprof_text/go-heap.debug1.txt'))
  const rows = (sampleTypeIndex: number) =>
    topFunctions(heap, { by: 'self', limit: 4, sampleTypeIndex }).map(
      (row) => `${row.functionName} ${row.selfValue} ${row.totalValue}`,
    )
  expect(rows(3)).toEqual([
    'main.keepBuffers 1855488 1855488',
    'runtime.malg 2242 2242',
    'runtime.allocm 1184 1931',
    'runtime.main 561 1856049',
  ])
  expect(rows(1)).toEqual([
    'main.keepBuffers 1855488 1855488',
    'main.burst 522011 522011',
    'runtime.malg 2242 2242',
    'runtime.allocm 1184 1931',
  ])
  const goroutines = readProfile(sample('pprof_text/go-goroutine.debug1.txt'))
  const totals = new Map(
    topFunctions(goroutines, { by: 'total', limit: Infinity }).map((row) => [
      row.functionName,
      row.totalValue,
    ]),
  )
  expect(goroutines.sampleCount).toBe(67)
  expect(totals.get('main.receive')).toBe(60)
  expect(totals.get('main.lockAndWait')).toBe(5)
  expect(totals.get('sync.(*Mutex).lockSlow')).toBe(5)
  expect(goroutines.labels[0]!.values.map(({ value, weight }) => `${value} ${weight}`)).toEqual([
    'c 30',
    'b 20',
    'a 10',
  ])
})
