import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { functionRows } from '../testing/function-rows.ts'
import { sample } from '../testing/samples.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const samplesIndex = 0
const cpuIndex = 2

/** A program as V8 13 logs it: two functions, a builtin, a handler, and two libraries. */
const head = `v8-version,13,6,233,17,-node.53,0
v8-platform,linux,linux
shared-library,/usr/bin/node,0x400000,0x800000,0
shared-library,/usr/lib/libc.so.6,0x7f0000000000,0x7f0000100000,0
shared-library-end
profiler,begin,1000
code-creation,Builtin,2,100,0x900000,100,ArrayMap
code-creation,BytecodeHandler,0,100,0x900100,100,Add
code-creation,Script,9,200,0xa00000,100, file:///app/main.mjs:1:1,0xf0001,~
code-creation,JS,9,300,0xa00100,100,parse file:///app/main.mjs:2:15,0xf0002,~
`
const withTicks = (...lines: string[]) => readProfile(bytesOf(`${head}${lines.join('\n')}\n`))

test('ticks last until the next one, the last one as long as ticks are apart', () => {
  const profile = withTicks('tick,0xa00110,2000,0,0x0,0,0xa00010', 'tick,0xa00010,3500,0,0x0,0')
  expect(profile).toMatchObject({ format: 'v8_log', sampleCount: 2, defaultSampleTypeIndex: cpuIndex })
  expect(drawTree(profile)).toEqual(['(anonymous) 2500000/1000000', '  parse 1500000/1500000'])
  expect(profile.functions).toMatchObject({
    names: ['(anonymous)', 'parse'],
    files: ['file:///app/main.mjs', 'file:///app/main.mjs'],
    startLines: Int32Array.of(1, 2),
  })
  expect(profile.detail?.timeline?.timesMs).toEqual(Float64Array.of(2, 3.5))
})

test('stacks may be offsets, and say that they were too deep', () => {
  const profile = withTicks('tick,0xa00110,2000,0,0x0,0,-0x100,overflow')
  expect(drawTree(profile, samplesIndex)).toEqual(['(anonymous) 1/0', '  parse 1/1'])
})

test('how the innermost function was compiled is the label tier', () => {
  const profile = withTicks(
    'tick,0xa00110,1000,0,0x0,0,0xa00010',
    "code-creation,JS,11,1500,0xa00200,100,parse file:///app/main.mjs:2:15,0xf0002,+'",
    'tick,0xa00210,2000,0,0x0,0,0xa00010',
    'code-creation,JS,12,2500,0xa00300,100,parse file:///app/main.mjs:2:15,0xf0002,*',
    'tick,0xa00310,3000,0,0x0,0,0xa00010',
  )
  expect(drawTree(profile, samplesIndex)).toEqual(['(anonymous) 3/0', '  parse 3/3'])
  expect(profile.labels.map(({ name, values }) => [name, values.map(({ value }) => value)])).toEqual([
    ['tier', ['ignition', 'maglev', 'turbofan']],
  ])
})

test('what V8 does for a script is on top of it, and below (program) without one', () => {
  const profile = withTicks(
    'tick,0x400010,1000,0,0x0,5',
    'tick,0x400010,2000,0,0x0,1,0xa00110',
    'tick,0x7f0000000010,3000,0,0x0,3,0xa00110',
    'tick,0x10,4000,0,0x0,4,0xa00110',
    'tick,0x10,5000,0,0x0,2',
    'tick,0x10,6000,0,0x0,0,0xa00110',
    'tick,0x7f0000000010,7000,0,0x0,8',
  )
  expect(drawTree(profile, samplesIndex)).toEqual([
    '(program) 1/0',
    '  [node] 1/1',
    'parse 4/0',
    '  (garbage collector) 1/0',
    '    [node] 1/1',
    '  (bytecode compiler) 1/0',
    '    [libc.so.6] 1/1',
    '  (compiler) 1/1',
    '  [unknown] 1/1',
    '(parser) 1/1',
    '(idle) 1/0',
    '  [libc.so.6] 1/1',
  ])
  expect(profile.selfValues.map((values) => values.reduce((sum, value) => sum + value, 0))).toEqual([
    7, 7e6, 6e6,
  ])
  expect(profile.warnings).toEqual(['Idle time counts as wall time, not as CPU time.'])
})

test('before V8 6.2 the states had other numbers, and names were in quotes', () => {
  const profile = readProfile(
    bytesOf(`v8-version,6,0,287,53,0
shared-library,"/usr/local/bin/node",0x400000,0x800000,0
profiler,"begin",1000
code-creation,LazyCompile,20,100,0xa00100,100,"parse ""a"", b.js:2:15",0xf0002,~
code-creation,Stub,17,100,0xa00200,100,"CEntryStub"
tick,0xa00110,1000,0,0x0,0,0xa00210
tick,0x400010,2000,0,0x0,2,0xa00110
`),
  )
  expect(drawTree(profile, samplesIndex)).toEqual([
    'Stub: CEntryStub 1/0',
    '  parse "a", 1/1',
    'parse "a", 1/0',
    '  (compiler) 1/0',
    '    [node] 1/1',
  ])
})

test('before V8 had times of code, they are not there', () => {
  const profile = readProfile(
    bytesOf('code-creation,LazyCompile,0,0x1000,16,"parse a.js:2:15",0x50,~\ntick,0x1008,50,0,0x0,0\n'),
  )
  expect(drawTree(profile, samplesIndex)).toEqual(['parse 1/1'])
})

test('code moves and goes, and other code takes its place', () => {
  const profile = withTicks(
    'code-move,0xa00100,0xb00000',
    'tick,0xb00010,1000,0,0x0,0',
    'code-creation,JS,9,1500,0xb00050,100,read file:///app/main.mjs:9:1,0xf0003,~',
    'tick,0xb00010,2000,0,0x0,0',
    'tick,0xb00060,3000,0,0x0,0',
    'code-delete,0xb00050',
    'tick,0xb00060,4000,0,0x0,0',
  )
  expect(drawTree(profile, samplesIndex)).toEqual(['parse 1/1', '(program) 2/2', 'read 1/1'])
})

test('builtins are frames, handlers of bytecodes are not, and a callback is where its script called it', () => {
  const profile = withTicks(
    'tick,0x900110,1000,0,0x0,0,0xa00110',
    'tick,0xa00110,2000,0,0x0,0,0x900010,0xa00010',
    'tick,0x7f0000000010,3000,1,0x400010,6,0xa00110',
    'tick,0x900010,4000,0,0xa00110,0,0xa00010',
  )
  expect(drawTree(profile, samplesIndex)).toEqual([
    'parse 2/1',
    '  [node] 1/1',
    '(anonymous) 2/0',
    '  Builtin: ArrayMap 1/0',
    '    parse 1/1',
    '  parse 1/0',
    '    Builtin: ArrayMap 1/1',
  ])
})

test('commas and other characters of names are escaped', () => {
  const profile = withTicks(
    String.raw`code-creation,JS,9,900,0xc00000,100,get \x5b1\x2C2] file:///b c/caf\u00e9.mjs:3:1,0xf0009,~`,
    'tick,0xc00010,1000,0,0x0,0',
  )
  expect(profile.functions).toMatchObject({ names: ['get [1,2]'], files: ['file:///b c/café.mjs'] })
})

test('damaged lines are counted', () => {
  const profile = withTicks(
    'tick,0xa00110,1000,0,0x0,0',
    'tick,0xa0',
    'code-creation,JS,9,2,zz,100,x',
    'tick,0xa001',
  )
  expect(profile.sampleCount).toBe(1)
  expect(profile.warnings).toEqual(['3 damaged lines were left out, first line 12.'])
})

test('a log without ticks is refused', () => {
  expect(() => readProfile(bytesOf(head))).toThrow('v8_log: the log holds no ticks')
})

test('a preprocessed log knows symbols of binaries', () => {
  const profile = readProfile(
    bytesOf(
      JSON.stringify({
        code: [
          { name: '/usr/bin/node', type: 'SHARED_LIB' },
          { name: 't Builtins_ArrayMap', type: 'CPP' },
          { name: 'T uv__io_poll', type: 'CPP' },
          { name: 'Add', type: 'CODE', kind: 'BytecodeHandler' },
          { name: 'ArrayFilter', type: 'CODE', kind: 'Builtin' },
          { name: 'parse file:///app/main.mjs:2:15', type: 'JS', kind: 'Opt', func: 0 },
        ],
        functions: [{ name: 'parse file:///app/main.mjs:2:15', codes: [5] }],
        ticks: [
          { tm: 1000, vm: 0, s: [3, 4, 5, 16] },
          { tm: 2000, vm: 0, s: [1, 4, 5, 16] },
          { tm: 3000, vm: 5, s: [2, 4, -1, 4096, 5, 16, 4, 8] },
          { tm: 4000, vm: 6, s: [-1, 4096] },
        ],
        scripts: [],
      }),
    ),
  )
  expect(drawTree(profile, samplesIndex)).toEqual([
    'parse 2/1',
    '  Builtin: ArrayMap 1/1',
    'Builtin: ArrayFilter 1/0',
    '  parse 1/0',
    '    uv__io_poll 1/1',
    '(program) 1/1',
  ])
})

// What `node --prof-process` of the same Node.js printed of the same log, ticks of JavaScript (samples/make-v8-log.mjs); it tells
// compilers apart (`*tinySort`, `+tinySort`), and it loses most of the binary of Node.js, which it counts as unaccounted.
const ofProfProcess = [
  '42 tinySort',
  '35 (anonymous)',
  '30 Builtin: GrowFastSmiOrObjectElements',
  '9 Builtin: CallFunction_ReceiverIsNullOrUndefined',
  '8 Builtin: CloneFastJSArrayFillingHoles',
  '6 isSmaller',
  '3 Builtin: ArrayFilter',
  '2 Builtin: ArrayFrom',
]

test.each(['v8_log/node.log.gz', 'v8_log/node-preprocessed.json.gz'])(
  '%s has the ticks of --prof-process',
  (path) => {
    const profile = readProfile(sample(path))
    expect(profile.sampleCount).toBe(320)
    const rows = functionRows(profile, { type: 'samples' }).map((row) => row.replace(/^(\d+) \d+/, '$1'))
    expect(rows).toEqual(expect.arrayContaining(ofProfProcess))
  },
)
