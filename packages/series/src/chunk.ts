import { constants, deflateRawSync, inflateRawSync, type ZlibOptions } from 'node:zlib'
import { ByteReader, ByteWriter, SeriesFormatError } from './bytes.ts'
import type { HistogramList } from './histogram-list.ts'
import { slotCount } from './slots.ts'
import { SeriesTable, type SeriesKind } from './table.ts'

/**
 * A piece of a series as it is stored: a byte for the version, and three sections (RFC 1951), of which each comes after its
 * length. Within a section, what is alike stands together, as varints:
 *
 *     rows      number of rows; first second; the agent of each row, and 1; how many seconds it is after the first;
 *               number of columns; of each column all rows
 *     service   of each row the number of slots; of each slot twice the slots that were left out before it, and 1 more if it
 *               counted more than one value; of those that did, how many above two
 *     late      of each row the number of slots; of each slot the slots left out before it; of each the zigzag of its count
 *
 * A section of length 0 has no slots at all.
 */
const version = 1
/** Of one section: a chunk of the largest run that there may be is far below. */
const sectionBytesMax = 64 * 1024 * 1024
const rowsMax = 1_000_000

const plane = { rows: new ByteWriter(), a: new ByteWriter(), b: new ByteWriter(), c: new ByteWriter() }

/** Sums beyond 2^53 - 1 are stored as that: they come of agents that make numbers up. */
const stored = (value: number) => Math.min(value, Number.MAX_SAFE_INTEGER)

export function encodeChunk(table: SeriesTable): Buffer {
  const { rows } = plane
  rows.clear()
  rows.varint(table.length)
  let first = table.seconds[0] ?? 0
  for (let row = 1; row < table.length; row++) first = Math.min(first, table.seconds[row] ?? 0)
  rows.varint(first)
  for (let row = 0; row < table.length; row++) rows.varint((table.agents[row] ?? 0) + 1)
  for (let row = 0; row < table.length; row++) rows.varint((table.seconds[row] ?? 0) - first)
  rows.varint(table.width)
  for (let column = 0; column < table.width; column++)
    for (let row = 0; row < table.length; row++)
      rows.varint(stored(table.columns[row * table.width + column] ?? 0))
  const sections = [
    deflateRawSync(rows.view(), repetitions),
    histogramSection(table.service, table.length, writeCounts, codesOnly),
    histogramSection(table.late, table.length, writeDifferences, repetitions),
  ]
  const head = new ByteWriter()
  head.byte(version)
  for (const { length } of sections) head.varint(length)
  return Buffer.concat([head.view(), ...sections])
}

/** Slots do not repeat, so that Huffman codes alone make as few bytes as looking for repetitions does, in half the time. */
const codesOnly = { strategy: constants.Z_HUFFMAN_ONLY }
/** Sections are small: a window of 4 kB holds what repeats, and is made ready sooner than one of 32. */
const repetitions = { level: 1, windowBits: 12, memLevel: 6 }

function histogramSection(
  list: HistogramList,
  rows: number,
  write: (list: HistogramList, start: number, end: number) => void,
  options: ZlibOptions,
): Buffer {
  if (list.slotLength === 0) return Buffer.alloc(0)
  const { a: lengths, b: gaps, c: counts } = plane
  for (const writer of [lengths, gaps, counts]) writer.clear()
  for (let row = 0; row < rows; row++) {
    const [start, end] = [list.startOf(row), list.endOf(row)]
    lengths.varint(end - start)
    write(list, start, end)
  }
  return deflateRawSync(Buffer.concat([lengths.view(), gaps.view(), counts.view()]), options)
}

function writeCounts({ slots, counts }: HistogramList, start: number, end: number): void {
  let next = 0
  for (let index = start; index < end; index++) {
    const slot = slots[index] ?? 0
    const count = counts[index] ?? 0
    plane.b.varint(count > 1 ? 2 * (slot - next) + 1 : 2 * (slot - next))
    if (count > 1) plane.c.varint(stored(count) - 2)
    next = slot + 1
  }
}

function writeDifferences({ slots, counts }: HistogramList, start: number, end: number): void {
  let next = 0
  for (let index = start; index < end; index++) {
    const slot = slots[index] ?? 0
    const count = counts[index] ?? 0
    plane.b.varint(slot - next)
    plane.c.varint(stored(count > 0 ? 2 * count : -2 * count - 1))
    next = slot + 1
  }
}

/** Which histograms are read; those that are not are empty. */
export interface ChunkParts {
  service: boolean
  late: boolean
}

/** @throws SeriesFormatError for any bytes that `encodeChunk` does not write for such a series */
export function decodeChunk(
  kind: SeriesKind,
  bytes: Uint8Array,
  parts: ChunkParts = { service: true, late: true },
): SeriesTable {
  const head = new ByteReader(bytes)
  const readVersion = head.byte()
  if (readVersion !== version) throw head.error(`a chunk has version ${readVersion}, and ${version} is read`)
  const lengths = [head.varint(), head.varint(), head.varint()]
  const [rows, service, late] = lengths.map((length) => head.bytes(length))
  if (!head.isAtEnd) throw head.error('there is more after the end of a chunk')
  const table = decodeRows(kind, inflated(rows))
  if (kind === 'requests') {
    readSection(table.service, table.length, parts.service ? inflated(service) : undefined, readCounts)
    readSection(table.late, table.length, parts.late ? inflated(late) : undefined, readDifferences)
  }
  return table
}

function inflated(bytes: Uint8Array | undefined): ByteReader | undefined {
  if (bytes === undefined || bytes.length === 0) return undefined
  try {
    return new ByteReader(inflateRawSync(bytes, { maxOutputLength: sectionBytesMax }))
  } catch (cause) {
    throw new SeriesFormatError('A section of a chunk is no deflated data.', { cause })
  }
}

function decodeRows(kind: SeriesKind, reader: ByteReader | undefined): SeriesTable {
  if (reader === undefined) throw new SeriesFormatError('A chunk has no rows.')
  const length = reader.varintUpTo(rowsMax, 'number of rows')
  const first = reader.varintUpTo(2 ** 20, 'the first second')
  const agents = Array.from({ length }, () => reader.varintUpTo(2 ** 16, 'an agent') - 1)
  const table = new SeriesTable(kind, length)
  for (const agent of agents) table.add(agent, first + reader.varintUpTo(2 ** 20, 'a second'))
  if (reader.varint() !== table.width) throw reader.error('a chunk has not the columns of its series')
  for (let column = 0; column < table.width; column++)
    for (let row = 0; row < length; row++) table.columns[row * table.width + column] = reader.varint()
  if (!reader.isAtEnd) throw reader.error('there is more after the last column')
  return table
}

function readSection(
  list: HistogramList,
  rows: number,
  reader: ByteReader | undefined,
  readSlots: (reader: ByteReader, list: HistogramList, rows: number, lengths: readonly number[]) => void,
): void {
  if (reader === undefined) for (let row = 0; row < rows; row++) list.endOne()
  else {
    const lengths = Array.from({ length: rows }, () => reader.varintUpTo(slotCount, 'number of slots'))
    // Each slot takes a byte or more: what is not there is not made room for.
    const slots = lengths.reduce((sum, length) => sum + length, 0)
    if (slots > reader.left) throw reader.error('there are fewer slots than it says')
    list.reserve(slots)
    readSlots(reader, list, rows, lengths)
    if (!reader.isAtEnd) throw reader.error('there is more after the last count')
  }
}

function readCounts(reader: ByteReader, list: HistogramList, rows: number, lengths: readonly number[]): void {
  const many: number[] = []
  for (let row = 0; row < rows; row++) {
    let slot = -1
    for (let left = lengths[row] ?? 0; left > 0; left--) {
      const gap = reader.varint()
      slot += 1 + Math.floor(gap / 2)
      if (slot >= slotCount) throw reader.error('a slot is beyond the last one')
      if (gap % 2 === 1) many.push(list.slotLength)
      list.push(slot, 1)
    }
    list.endOne()
  }
  for (const index of many) list.counts[index] = 2 + reader.varint()
}

function readDifferences(
  reader: ByteReader,
  list: HistogramList,
  rows: number,
  lengths: readonly number[],
): void {
  for (let row = 0; row < rows; row++) {
    let slot = -1
    for (let left = lengths[row] ?? 0; left > 0; left--) {
      slot += 1 + reader.varint()
      if (slot >= slotCount) throw reader.error('a slot is beyond the last one')
      list.push(slot, 0)
    }
    list.endOne()
  }
  for (let index = 0; index < list.slotLength; index++) {
    const zigzag = reader.varint()
    list.counts[index] = zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2
  }
}
