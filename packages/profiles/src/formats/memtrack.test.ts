import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { filterProfile } from '../questions/filter-profile.ts'
import { readProfile } from '../read-profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample } from '../testing/samples.ts'

type Event = [
  type: string,
  tid: number,
  timestampNs: number,
  addr: number,
  size?: number,
  oldAddr?: number | null,
]

/** Msgpack, with numbers in the shortest form that is given here. */
function encode([type, tid, timestamp, addr, size, oldAddr]: Event): Buffer {
  const members = Object.entries({ pid: 7, tid, timestamp, addr, size, old_addr: oldAddr, type }).filter(
    ([, value]) => value !== undefined,
  )
  return Buffer.concat([
    Buffer.from([0x80 | members.length]),
    ...members.flatMap(([key, value]) => [encodeValue(key), encodeValue(value)]),
  ])
}

function encodeValue(value: unknown): Buffer {
  if (typeof value === 'string') return Buffer.from([0xa0 | value.length, ...Buffer.from(value)])
  if (typeof value !== 'number') return Buffer.from([0xc0])
  if (value < 128) return Buffer.from([value])
  if (value < 256) return Buffer.from([0xcc, value])
  if (value < 65_536) return Buffer.from([0xcd, value >> 8, value & 255])
  const bytes = Buffer.alloc(9)
  bytes[0] = 0xcf
  bytes.writeBigUInt64BE(BigInt(value), 1)
  return bytes
}

const encodeAll = (events: Event[]) => Buffer.concat(events.map(encode))
const read = (events: Event[]) => readProfile(encodeAll(events))
const typeOf = { alloc: 0, allocated: 1, peak: 2, inUse: 4 }

const events: Event[] = [
  ['Malloc', 1, 1_000_000, 0x1000, 100],
  ['Malloc', 1, 2_000_000, 0x2000, 1000],
  ['Free', 2, 3_000_000, 0x2000],
  ['Calloc', 2, 4_000_000, 0x3000, 70_000],
  ['Realloc', 2, 5_000_000, 0x4000, 200, 0x1000],
  ['Free', 1, 6_000_000, 0x3000],
]

test('the tree tells which sizes were asked of which function: in all, at the peak, at the end', () => {
  const profile = read(events)
  expect(drawTree(profile, typeOf.alloc)).toEqual([
    'malloc 1100/0',
    '  64 B – 128 B 100/100',
    '  512 B – 1 KiB 1000/1000',
    'calloc 70000/0',
    '  64 KiB – 128 KiB 70000/70000',
    'realloc 200/0',
    '  128 B – 256 B 200/200',
  ])
  const withValue = (type: number) => drawTree(profile, type).filter((line) => !line.endsWith(' 0/0'))
  expect(withValue(typeOf.peak)).toEqual([
    'calloc 70000/0',
    '  64 KiB – 128 KiB 70000/70000',
    'realloc 200/0',
    '  128 B – 256 B 200/200',
  ])
  expect(withValue(typeOf.inUse)).toEqual(['realloc 200/0', '  128 B – 256 B 200/200'])
  expect(profile.sampleCount).toBe(4)
  expect(profile.durationMs).toBe(5)
})

test('a block stays with the thread that asked for it', () => {
  const profile = read(events)
  expect(profile.threads.map(({ name, totals }) => ({ name, inUse: totals[typeOf.inUse] }))).toEqual([
    { name: '7 / 1', inUse: 0 },
    { name: '7 / 2', inUse: 200 },
  ])
  const own = filterProfile(profile, profile.detail, { labels: new Map([['thread', '2']]) })
  expect(drawTree(own, typeOf.allocated).filter((line) => !line.endsWith(' 0/0'))).toEqual([
    'calloc 1/0',
    '  64 KiB – 128 KiB 1/1',
    'realloc 1/0',
    '  128 B – 256 B 1/1',
  ])
})

test('the timeline has the bytes of each call', () => {
  const { timesMs, values } = read(events).detail!.timeline!
  expect(Array.from(timesMs)).toEqual([0, 1, 3, 4])
  expect(Array.from(values)).toEqual([100, 1000, 70_000, 200])
})

test('events of several threads are put in the order of their times', () => {
  const profile = read([
    ['Malloc', 1, 9, 0x1000, 10],
    ['Malloc', 2, 5, 0x1000, 7],
    ['Free', 2, 8, 0x1000],
  ])
  expect(profile.selfValues.map((column) => column.reduce((sum, value) => sum + value, 0))).toEqual([
    17, 2, 10, 1, 10, 1,
  ])
})

test('what the system gives to the allocator is not the heap, and a warning says so', () => {
  const profile = read([
    ['Brk', 1, 1, 0x9000, 135_168],
    ['Malloc', 1, 2, 0x1000, 0],
    ['Munmap', 1, 3, 0x9000, 1],
  ])
  expect(drawTree(profile, typeOf.allocated)).toEqual(['malloc 1/0', '  0 B 1/1'])
  expect(profile.warnings).toEqual([
    '2 events of memory that the system gave (Mmap, Munmap, Brk) are not added to the heap.',
  ])
})

test('frames may follow each other, and a file that is cut is read up to there', () => {
  const whole = Buffer.concat([
    zstdCompressSync(encodeAll(events.slice(0, 3))),
    zstdCompressSync(encodeAll(events.slice(3))),
  ])
  expect(readProfile(whole)).toEqual(read(events))
  const cutWithin = encodeAll(events).subarray(0, -5)
  expect(readProfile(cutWithin).warnings).toEqual(['The file is cut after event 5.'])
  expect(readProfile(zstdCompressSync(cutWithin)).warnings).toEqual(['The file is cut after event 5.'])
  expect(readProfile(whole.subarray(0, -4)).warnings).toEqual(['The file is cut after event 3.'])
})

// The numbers that make-memtrack.mjs prints.
test('a file as the instrument writes it has the numbers of the heap', () => {
  const profile = readProfile(sample('memtrack/two-threads.MemtrackArtifact.msgpack'))
  expect(profile.selfValues.map((column) => column.reduce((sum, value) => sum + value, 0))).toEqual([
    94_790, 109, 40_960, 40, 26_490, 21,
  ])
  expect(profile.threads.map(({ name }) => name)).toEqual(['300 / 300', '300 / 301'])
})

test.each<[message: string, bytes: Uint8Array]>([
  ['expected an event with tid (at byte 0)', Buffer.from([0x81, ...encodeValue('pid'), 1])],
  ['expected an event (at byte 0)', Buffer.from([0x93, 1, 2, 3])],
  ['expected an event (at byte 0)', Buffer.from([0xde, 0xff, 0xff])],
  ['expected the name of a member (at byte 0)', Buffer.from([0x81, 1, 1])],
  [
    'expected a number that is not negative as pid (at byte 0)',
    Buffer.from([0x81, ...encodeValue('pid'), 0xff]),
  ],
  ['expected a number or a short text (at byte 0)', Buffer.from([0x81, ...encodeValue('pid'), 0x90])],
  ['the profile holds no samples', encode(['Free', 1, 1, 0x1000])],
])('%s', (message, bytes) => {
  expect(() => readProfile(bytes, { format: 'memtrack' })).toThrow(`memtrack: ${message}`)
})
