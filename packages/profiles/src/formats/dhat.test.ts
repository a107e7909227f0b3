import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample } from '../testing/samples.ts'

const heap = {
  dhatFileVersion: 2,
  mode: 'heap',
  verb: 'Allocated',
  bklt: true,
  bkacc: true,
  tu: 'instrs',
  Mtu: 'Minstr',
  te: 500,
  tg: 160,
  pps: [
    { tb: 100, tbk: 2, tl: 9, mb: 60, mbk: 1, gb: 60, gbk: 1, eb: 0, ebk: 0, rb: 7, wb: 8, fs: [1, 2, 3] },
    { tb: 50, tbk: 1, tl: 1, mb: 50, mbk: 1, gb: 0, gbk: 0, eb: 50, ebk: 1, rb: 0, wb: 0, fs: [1, 4] },
  ],
  ftbl: [
    '[root]',
    '0x48417B4: malloc (in /usr/lib/vgpreload_dhat.so)',
    '0x10916B: load(int (*)(int)) (src/t.c:5)',
    '0x109243: main (t.c:7)',
    '0x109250: main (t.c:9)',
  ],
}
const read = (document: object) => readProfile(new TextEncoder().encode(JSON.stringify(document)))

test('program points are stacks, with what they allocated, had at the peak and at the end, and what was accessed', () => {
  const profile = read(heap)
  expect(profile.sampleTypes.map(({ type, unit }) => `${type} ${unit}`)).toEqual([
    'alloc_space bytes',
    'alloc_objects count',
    'peak_space bytes',
    'peak_objects count',
    'inuse_space bytes',
    'inuse_objects count',
    'lifetime instrs',
    'read_space bytes',
    'written_space bytes',
  ])
  expect(drawTree(profile)).toEqual([
    'main 150/0',
    '  load(int (*)(int)) 100/0',
    '    malloc 100/100',
    '  malloc 50/50',
  ])
  expect(profile.selfValues.map((column) => column.reduce((sum, value) => sum + value, 0))).toEqual([
    150, 3, 60, 1, 50, 1, 10, 7, 8,
  ])
  expect(profile.sampleCount).toBe(3)
  expect(profile.durationMs).toBeUndefined()
})

test('frames have a source file and lines, or else a binary', () => {
  const { functions, detail } = read(heap)
  expect(functions.names).toEqual(['main', 'load(int (*)(int))', 'malloc'])
  expect(functions.files).toEqual(['t.c', 'src/t.c', '/usr/lib/vgpreload_dhat.so'])
  const { nodes, lines, totalValues } = detail!.lines!
  expect([Array.from(nodes), Array.from(lines), Array.from(totalValues[0]!)]).toEqual([
    [1, 1, 2],
    [7, 9, 5],
    [100, 50, 100],
  ])
})

test.each([
  ['0x4D2: ??? (in /usr/lib/libc.so.6)', '[libc.so.6]', '/usr/lib/libc.so.6'],
  ['0x1: ???', '<unknown>', ''],
  ['0x10ae: <T as core::fmt::Debug>::fmt (src/main.rs:12:9)', '<T as core::fmt::Debug>::fmt', 'src/main.rs'],
  ['0x10ae: run(int) (in /a (b)/c)', 'run(int)', '/a (b)/c'],
  ['0x10ae: operator new', 'operator new', ''],
])('%s', (frame, name, file) => {
  const { functions } = read({ ...heap, ftbl: ['[root]', frame, frame, frame, frame] })
  expect([functions.names, functions.files]).toEqual([[name], [file]])
})

test('the Rust crate measures in microseconds, and not what is accessed', () => {
  const profile = read({ ...heap, mode: 'rust-heap', bkacc: false, tu: 'µs', Mtu: 's', te: 250_000 })
  expect(profile.sampleTypes.map(({ type }) => type)).not.toContain('read_space')
  expect(profile.sampleTypes).toContainEqual({ type: 'lifetime', unit: 'microseconds' })
  expect(profile.durationMs).toBe(250)
})

test('events of the program have the names that the file gives them', () => {
  const profile = readProfile(sample('dhat/ad-hoc.json'))
  expect(profile.sampleTypes).toEqual([
    { type: 'units', unit: 'count' },
    { type: 'events', unit: 'count' },
  ])
  expect(drawTree(profile)).toEqual(['main 500/0', '  use_and_free 500/500'])
  expect(drawTree(profile, 1)).toEqual(['main 100/0', '  use_and_free 100/100'])
})

test('copies are counted in mode copy', () => {
  const profile = readProfile(sample('dhat/copy.json'))
  expect(profile.sampleTypes).toEqual([
    { type: 'copied_space', unit: 'bytes' },
    { type: 'copies', unit: 'count' },
  ])
  expect(drawTree(profile)).toContain('  use_and_free 2000/0')
  expect(drawTree(profile, 1)).toContain('  use_and_free 100/0')
})

// What valgrind.c asks for: 40 blocks of 1,000 B that are kept, 100 of 64 B one after the other. dh_view.html says the same.
test('a real program has what it asked for', () => {
  const profile = readProfile(sample('dhat/heap.json'))
  const type = (name: string) => profile.sampleTypes.findIndex((sampleType) => sampleType.type === name)
  expect(drawTree(profile)).toEqual([
    'main 46400/0',
    '  keep 40000/0',
    '    malloc 40000/40000',
    '  use_and_free 6400/0',
    '    malloc 6400/6400',
  ])
  expect(drawTree(profile, type('alloc_objects'))[0]).toBe('main 140/0')
  expect(drawTree(profile, type('peak_space'))[0]).toBe(`main ${40_000 + 64}/0`)
  expect(drawTree(profile, type('inuse_space'))[0]).toBe('main 40000/0')
})

test('frames that are missing are left out, with a warning', () => {
  const profile = read({ ...heap, ftbl: heap.ftbl.slice(0, 4) })
  expect(drawTree(profile)).toEqual([
    'main 100/0',
    '  load(int (*)(int)) 100/0',
    '    malloc 100/100',
    'malloc 50/50',
  ])
  expect(profile.warnings).toEqual(['1 frames of stacks are not in the table of frames and were left out.'])
})

test.each<[message: string, document: object]>([
  ['version 1 of the format; only version 2 is read (at $.dhatFileVersion)', { ...heap, dhatFileVersion: 1 }],
  ['the profile holds no samples', { ...heap, pps: [] }],
  ['expected an array (at $.ftbl)', { ...heap, ftbl: undefined }],
  ['expected a number (at $.pps[0].gb)', { ...heap, pps: [{ ...heap.pps[0], gb: undefined }] }],
  ['expected a number (at $.pps[0].fs[0])', { ...heap, pps: [{ ...heap.pps[0], fs: ['1'] }] }],
])('%s', (message, document) => {
  expect(() => read(document)).toThrow(`dhat: ${message}`)
})
