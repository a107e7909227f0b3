import { expect, test } from 'vitest'
import { filterProfile } from '../questions/filter-profile.ts'
import { topFunctions } from '../questions/top-functions.ts'
import { readProfile } from '../read-profile.ts'
import { asAnnotated, parseAnnotated } from '../testing/callgrind-annotate.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample } from '../testing/samples.ts'

/** The indentation of the test does not matter. */
function read(text: string) {
  const lines = text.split('\n').map((line) => line.trim())
  return readProfile(new TextEncoder().encode(lines.join('\n')), { format: 'callgrind' })
}

const rowsOf = (profile: ReturnType<typeof read>) =>
  topFunctions(profile, { by: 'total', limit: Infinity }).map(
    (row) => `${row.functionName} (${row.file}) ${row.totalValue}/${row.selfValue} x${row.calls}`,
  )

test('calls make a tree, and names that are told once are used by their number', () => {
  const profile = read(`
    events: Instructions

    fl=(1) file1.c
    fn=(1) main
    16 20
    cfn=(2) func1
    calls=1 50
    16 400
    cfi=(2) file2.c
    cfn=(3) func2
    calls=3 20
    16 400

    fn=(2)
    51 100
    cfi=(2)
    cfn=(3)
    calls=2 20
    51 300

    fl=(2)
    fn=(3)
    20 700
  `)
  expect(drawTree(profile)).toEqual([
    'main 820/20',
    '  func1 400/100',
    '    func2 300/300',
    '  func2 400/400',
  ])
  expect(rowsOf(profile)).toEqual([
    'main (file1.c) 820/20 x0',
    'func2 (file2.c) 700/700 x5',
    'func1 (file1.c) 400/100 x1',
  ])
  expect(profile.sampleTypes).toEqual([{ type: 'Instructions', unit: 'count' }])
  expect(profile.sampleCount).toBe(6)
  expect(profile.warnings).toEqual([])
})

test('the file of a callee is that of the code that calls it, unless it is told for this call', () => {
  const profile = read(`
    events: Ir
    fl=a.c
    fn=main
    1 10
    cfl=b.c
    cfn=one
    calls=1 1
    1 5
    cfn=two
    calls=1 1
    1 6
    fi=inlined.h
    cfn=three
    calls=1 1
    1 7
    fl=b.c
    fn=one
    1 5
    fl=a.c
    fn=two
    1 6
    fl=inlined.h
    fn=three
    1 7
  `)
  expect(rowsOf(profile)).toEqual([
    'main (a.c) 28/10 x0',
    'three (inlined.h) 7/7 x1',
    'main (inlined.h) 7/0 x0',
    'two (a.c) 6/6 x1',
    'one (b.c) 5/5 x1',
  ])
})

test('code of another file that was inlined is below the function, with the lines of its own file', () => {
  const profile = read(`
    events: Ir
    fl=a.c
    fn=hash
    10 4
    fi=a.h
    +0 3
    -7 2
    fe=a.c
    * 1
    fn=next
    1 1
  `)
  expect(drawTree(profile)).toEqual(['hash 10/5', '  hash 5/5', 'next 1/1'])
  expect(profile.functions.files).toEqual(['a.c', 'a.h', 'a.c'])
  const { nodes, lines, selfValues } = profile.detail!.lines!
  expect([Array.from(nodes), Array.from(lines), Array.from(selfValues[0]!)]).toEqual([
    [1, 1, 2, 2, 3],
    [3, 10, 3, 10, 1],
    [1, 4, 2, 3, 1],
  ])
})

test('lines keep what they have, however their function is split over its callers', () => {
  const profile = read(`
    events: Ir
    fn=main
    1 1
    cfn=one
    calls=1 1
    2 5
    cfn=two
    calls=1 1
    3 5
    fn=one
    4 0
    cfn=lib
    calls=1 1
    4 5
    fn=two
    5 0
    cfn=lib
    calls=1 1
    5 5
    fn=lib
    7 1
    8 1
    9 8
  `)
  expect(drawTree(profile)).toEqual(['main 11/1', '  one 5/0', '    lib 5/5', '  two 5/0', '    lib 5/5'])
  const { lines, selfValues } = profile.detail!.lines!
  const byLine: Record<number, number> = {}
  for (const [row, line] of lines.entries()) byLine[line] = (byLine[line] ?? 0) + selfValues[0]![row]!
  expect(byLine).toEqual({ 1: 1, 2: 0, 3: 0, 4: 0, 5: 0, 7: 1, 8: 1, 9: 8 })
})

test('where the source is not known, the binary is the file', () => {
  const profile = read(`
    events: Ir
    ob=/usr/lib/a.so
    fl=???
    fn=0x10c0
    0 9
    cob=/usr/lib/b.so
    cfi=???
    cfn=free
    calls=2 0
    0 8
    ob=/usr/lib/b.so
    fn=free
    0 8
  `)
  expect(rowsOf(profile)).toEqual(['0x10c0 (/usr/lib/a.so) 17/9 x0', 'free (/usr/lib/b.so) 8/8 x2'])
})

test('positions may be addresses, numbers in hexadecimal, and relative to the line before', () => {
  const profile = read(`
    positions: instr line
    events: Ir Dr
    fl=a.c
    fn=f
    0x80001234 90 1
    +3 * 5 2
    +1 +0x2 6
    jcnd=3/4 0x80001234 -2
    * *
    - -1 7
  `)
  const { lines, selfValues } = profile.detail!.lines!
  expect(Array.from(lines)).toEqual([90, 91, 92])
  expect(selfValues.map((column) => Array.from(column))).toEqual([
    [6, 7, 6],
    [2, 0, 0],
  ])
})

test('each event is a sample type, and zeros at the end of a line may be left out', () => {
  const profile = read(`
    event: Sum = Ir + 2 Dr : what is worked out
    event: Odd = Ir + Unheard
    event: sysTime : sysTime (elapsed ns)
    events: Ir Dr sysTime
    fn=main
    1 10 3
    2 1 0 500
    3
  `)
  expect(profile.sampleTypes).toEqual([
    { type: 'Ir', unit: 'count' },
    { type: 'Dr', unit: 'count' },
    { type: 'sysTime', unit: 'nanoseconds' },
    { type: 'Sum', unit: 'count' },
  ])
  expect([0, 1, 2, 3].map((type) => drawTree(profile, type))).toEqual([
    ['main 11/11'],
    ['main 3/3'],
    ['main 500/500'],
    ['main 17/17'],
  ])
  expect(profile.warnings).toEqual([
    'The event Odd cannot be worked out from those that are counted, and was left out.',
  ])
})

test('pyprof2calltree says the unit of its only event in words', () => {
  const profile = read(`
    event: ns : Nanoseconds
    events: ns
    summary: 1500
    fl=~
    fn=<built-in method time.sleep>
    0 1500
  `)
  expect(profile.sampleTypes).toEqual([{ type: 'ns', unit: 'nanoseconds' }])
})

test('Xdebug says the unit in the name of an event, and memory that is given back is told and counts as nothing', () => {
  const profile = read(`
    creator: xdebug 3.3.1 (PHP 8.3.0)
    events: Time_(10ns) Memory_(bytes)

    fl=(1) php:internal
    fn=(1) php::strlen
    5 12 -64

    fl=(2) /app/index.php
    fn=(2) {main}
    1 345 -3560
    cfl=(1)
    cfn=(1)
    calls=1 0 0
    5 12 96

    summary: 357 32
  `)
  expect(profile.sampleTypes).toEqual([
    { type: 'Time', unit: 'nanoseconds' },
    { type: 'Memory', unit: 'bytes' },
  ])
  expect(drawTree(profile)).toEqual(['{main} 3570/3450', '  php::strlen 120/120'])
  expect(profile.detail!.lines!.selfValues.map((column) => Array.from(column))).toEqual([
    [3450, 0, 120],
    [0, 0, 0],
  ])
  expect(profile.warnings).toEqual(['2 negative costs of Memory count as 0.'])
})

test('totals are held against lines in the unit of the event', () => {
  expect(read('events: Time_(10ns)\nfn=main\n1 5\ntotals: 5').warnings).toEqual([])
  expect(read('events: A_(us) A_(ms) B B_(ns)\nfn=main\n1 1 2 3 4').sampleTypes).toEqual([
    { type: 'A', unit: 'microseconds' },
    { type: 'A_(ms)', unit: 'count' },
    { type: 'B', unit: 'count' },
    { type: 'B_(ns)', unit: 'count' },
  ])
})

test('with all events of caches there are cycles, by the formula of iai', () => {
  // 100 accesses: 90 hit the first cache, 7 the last one, 3 memory.
  const profile = read(`
    events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw
    fn=main
    1 60 30 10 2 5 3 1 1 1
  `)
  expect(profile.sampleTypes.at(-1)).toEqual({ type: 'iai_estimated_cycles', unit: 'cycles' })
  expect(profile.sampleTypes[profile.defaultSampleTypeIndex]?.type).toBe('Ir')
  expect(drawTree(profile, 9)).toEqual([`main ${90 + 5 * 7 + 35 * 3}/${90 + 5 * 7 + 35 * 3}`])
})

test('parts are added up, and a client request or a thread is a label', () => {
  const profile = read(`
    part: 1
    desc: Trigger: Client Request: Metadata: codspeed-node 5.7.1
    events: Ir
    totals: 0
    part: 2
    desc: Trigger: Client Request: a.c::one
    events: Ir
    fn=(1) main
    1 10
    totals: 10
    part: 3
    thread: 2
    desc: Trigger: Client Request: a.c::two
    events: Ir Dr
    fn=(1)
    1 5 2
    totals: 5 2
    part: 4
    desc: Trigger: Program termination
    events: Ir
    fn=(1)
    1 1
    totals: 1
  `)
  expect(drawTree(profile)).toEqual(['main 16/16'])
  expect(profile.labels.map(({ name, values }) => ({ name, values }))).toEqual([
    {
      name: 'benchmark',
      values: [
        { value: 'a.c::one', sampleCount: expect.any(Number), weight: 10 },
        { value: 'a.c::two', sampleCount: expect.any(Number), weight: 5 },
      ],
    },
    { name: 'thread', values: [{ value: '2', sampleCount: expect.any(Number), weight: 5 }] },
  ])
  const only = filterProfile(profile, profile.detail, { labels: new Map([['benchmark', 'a.c::two']]) })
  expect([drawTree(only, 0), drawTree(only, 1)]).toEqual([['main 5/5'], ['main 2/2']])
  expect(profile.warnings).toEqual([])
})

test('a part that may be cut is read, with a warning', () => {
  const start = `
    creator: callgrind-3.19.0
    events: Ir
    fn=main
    1 10
    `
  expect(read(`${start}totals: 10`).warnings).toEqual([])
  expect(read(`${start}totals: 12`).warnings).toEqual([
    'The file may be cut: its lines add up to 10 Ir, and it says 12.',
  ])
  expect(read(start).warnings).toEqual(['The file has no totals at its end: it may be cut.'])
})

test('a circle of calls is told of, where it is more than a little', () => {
  const file = `
    events: Ir
    fn=main
    1 850
    cfn=walk
    calls=1 1
    2 150
    fn=walk
    3 50
    cfn=list
    calls=5 1
    4 90
    fn=list
    5 100
    cfn=walk
    calls=4 1
    6 60
    `
  expect(read(file).warnings).toEqual([
    '2 functions call each other in circles, and 15.0 % of all Ir is in or below these: how much of it is where the file does ' +
      'not tell, so their totals, and what the call tree has there, are estimates. Self values are exact.',
  ])
  expect(read(file.replace('1 850', '1 85000')).warnings).toEqual([])
})

test('where calls got no node of their own, totals of functions are exact, and a warning says how far the tree is off', () => {
  // 60 layers of 3 functions, each calling all of the next layer: 3^60 paths.
  const lines: string[] = ['events: Ir']
  for (let layer = 0; layer < 60; layer++) {
    for (const one of [0, 1, 2]) {
      lines.push(`fn=f${layer}_${one}`, '1 100')
      for (const other of layer < 59 ? [0, 1, 2] : [])
        lines.push(
          `cfn=f${layer + 1}_${other}`,
          'calls=1 1',
          `1 ${((59 - layer) * 100) / 3}`.replace(/\..*/, ''),
        )
    }
  }
  const profile = read(lines.join('\n'))
  expect(profile.warnings[0]).toMatch(
    /^In the call tree, \d+ functions outside circles are off by more than 0\.1 % of all Ir, at most \d+\.\d %: /,
  )
  const rows = topFunctions(profile, { by: 'total', limit: Infinity })
  for (const { functionName, totalValue } of rows) {
    const layer = Number(/\d+/.exec(functionName)![0])
    expect([functionName, totalValue]).toEqual([functionName, 100 + 3 * Math.floor(((59 - layer) * 100) / 3)])
  }
})

test('lines of no known kind are left out, and counted', () => {
  const profile = read(`
    events: Ir
    unheard: of
    fn=main
    1 10
    rfn=other
    ?
    # a comment
    jfi=(3) other.c
    jump=1 2
  `)
  expect(drawTree(profile)).toEqual(['main 10/10'])
  expect(profile.warnings).toEqual(['3 lines are of no known kind and were left out; the first is line 3.'])
})

test.each<[message: string, text: string]>([
  ['version "2" of the format; only version 1 is read (at line 1)', 'version: 2\nevents: Ir\nfn=a\n1 1'],
  ['there is no line "events:"', 'fn=main\n1 10'],
  ['the profile holds no samples', 'events: Ir\nfn=main\n'],
  ['more than 1 costs, one for each event (at line 3)', 'events: Ir\nfn=main\n1 2 3'],
  ['expected a number (at line 3)', 'events: Ir\nfn=main\n1 x'],
  ['expected a number (at line 3)', 'events: Ir\nfn=main\n1 1.5'],
  ['expected a number (at line 3)', 'events: Ir\nfn=main\n1 -'],
  ['expected a number (at line 3)', 'events: Ir\nfn=main\n1 -2-'],
  ['expected a line number (at line 3)', 'events: Ir\nfn=main\n1x 1'],
  ['expected a line number (at line 4)', 'positions: instr line\nevents: Ir\nfn=main\n12'],
  ['the name (7) is not given before it is used (at line 2)', 'events: Ir\nfn=(7)\n1 1'],
  ['calls= without cfn= before it (at line 3)', 'events: Ir\nfn=main\ncalls=1 1\n1 1'],
  ['expected a number of calls (at line 4)', 'events: Ir\nfn=main\ncfn=f\ncalls=\n1 1'],
  [
    'more calls than anybody can count (at line 4)',
    `events: Ir\nfn=main\ncfn=f\ncalls=${'9'.repeat(309)} 1\n1 1`,
  ],
  [
    'more than 64 events',
    `events: ${Array.from({ length: 65 }, (_, index) => `E${index}`).join(' ')}\nfn=a\n1 1`,
  ],
])('%s', (message, text) => {
  expect(() => readProfile(new TextEncoder().encode(text), { format: 'callgrind' })).toThrow(
    `callgrind: ${message}`,
  )
})

test("a profile of cachegrind, and one of a tool for KCachegrind, are recognised without callgrind's first line", () => {
  const texts = [
    'desc: I1 cache: 1 B\ncmd: ./a\nevents: Ir I1mr\nfl=a.c\nfn=main\n1 10\nsummary: 10',
    'events: Ir\nfn=a\n1 1',
  ]
  for (const text of texts) expect(readProfile(new TextEncoder().encode(text)).format).toBe('callgrind')
})

// Of `callgrind_annotate`, as make-valgrind.sh calls it, what is of valgrind.c and its header.
const ownRows = `
  43,548  valgrind.c:walk [/tmp/demo-app/valgrind/sample]
   6,600  valgrind.h:hash_bytes
   5,434  valgrind.c:hash_bytes [/tmp/demo-app/valgrind/sample]
     680  valgrind.c:fib'2 [/tmp/demo-app/valgrind/sample]
     204  valgrind.c:bench_hash [/tmp/demo-app/valgrind/sample]
     130  valgrind.c:is_even'2 [/tmp/demo-app/valgrind/sample]
     126  valgrind.c:is_odd'2 [/tmp/demo-app/valgrind/sample]
      49  valgrind.c:main [/tmp/demo-app/valgrind/sample]
      41  valgrind.c:bench_walk [/tmp/demo-app/valgrind/sample]
      17  valgrind.c:fib [/tmp/demo-app/valgrind/sample]
       9  valgrind.c:is_even [/tmp/demo-app/valgrind/sample]
       9  valgrind.c:is_odd [/tmp/demo-app/valgrind/sample]
`
// And with `--inclusive=yes`, but for those that call themselves (fib'2, is_even'2, is_odd'2), which it counts again and again.
const inclusiveRows = `
  56,847  valgrind.c:main [/tmp/demo-app/valgrind/sample]
  44,158  valgrind.c:bench_walk [/tmp/demo-app/valgrind/sample]
  43,548  valgrind.c:walk [/tmp/demo-app/valgrind/sample]
  12,640  valgrind.c:bench_hash [/tmp/demo-app/valgrind/sample]
  12,034  valgrind.c:hash_bytes [/tmp/demo-app/valgrind/sample]
   6,600  valgrind.h:hash_bytes
     697  valgrind.c:fib [/tmp/demo-app/valgrind/sample]
     274  valgrind.c:is_even [/tmp/demo-app/valgrind/sample]
     265  valgrind.c:is_odd [/tmp/demo-app/valgrind/sample]
`
/** It leaves off the folder that it is run in. */
const withoutFolder = (rows: Map<string, number>) =>
  new Map([...rows].map(([name, value]) => [name.replace('/tmp/demo-app/valgrind/', ''), value]))

test.each(['benchmarks', 'instructions'])('%s.out has the rows of callgrind_annotate', (name) => {
  const profile = readProfile(sample(`callgrind/${name}.out`))
  const own = withoutFolder(asAnnotated(profile, 'Ir'))
  const inclusive = withoutFolder(asAnnotated(profile, 'Ir', { inclusive: true }))
  for (const [row, value] of parseAnnotated(ownRows)) expect([row, own.get(row)]).toEqual([row, value])
  for (const [row, value] of parseAnnotated(inclusiveRows))
    expect([row, inclusive.get(row)]).toEqual([row, value])
  // The sum of the totals lines of its parts.
  expect(profile.selfValues[0]!.reduce((sum, value) => sum + value, 0)).toBe(12_655 + 44_172 + 1_264)
  expect(profile.labels[0]).toMatchObject({
    name: 'benchmark',
    values: [
      { value: 'samples/valgrind.c::bench_walk', weight: 44_172 },
      { value: 'samples/valgrind.c::bench_hash', weight: 12_655 },
    ],
  })
  expect(profile.warnings).toEqual([])
})

test('lines of the real program have what callgrind_annotate --auto=yes says', () => {
  const { detail, functions, nodes } = readProfile(sample('callgrind/instructions.out'))
  const { nodes: nodesOfRows, lines, selfValues, totalValues } = detail!.lines!
  const rows = Array.from(nodesOfRows, (node, row) => ({
    name: functions.names[nodes.functionIndexes[node]!],
    text: `${lines[row]}: ${totalValues[0]![row]}/${selfValues[0]![row]}`,
  }))
  const rowsOfFunction = (name: string) => rows.filter((row) => row.name === name).map(({ text }) => text)
  expect(rowsOfFunction('walk')).toEqual(['30: 4/4', '31: 43536/43536', '33: 8/8'])
  expect(rowsOfFunction('bench_walk')).toEqual(['46: 4/4', '47: 1/1', '48: 43573/25', '49: 576/7', '50: 4/4'])
})
