import { BitReader, BitWriter, Mean, readAhead } from './bits.ts'
import { ByteReader, ByteWriter } from './bytes.ts'
import type { HistogramList, SlotMemory } from './histogram-list.ts'
import { slotCount } from './slots.ts'
import { SeriesTable, type SeriesKind } from './table.ts'

/**
 * A piece of a series as it is stored: a byte for the version, the lengths of three sections as varints, the sections. They are
 * bits (`bits.ts`), each Rice code with the mean of what it codes:
 *
 *     rows      number of rows; of each by how much its agent, and its second, differ from those of the one before; number of
 *               columns; of each column whether it is not all zeros, and then its lowest value, and of each row how much more it
 *               is, in as many bits as the highest takes
 *     service   of each row by how much its number of slots differs from that of the one before, and so its first slot; of each
 *               slot how many were left out since the one before, and its count less one
 *     late      the same, but of each slot the zigzag of its count, less one
 *
 * A section of length 0 has no slots at all.
 */
const version = 2
const rowsMax = 1_000_000
/** How many bits tell how many bits a number has. */
const widthBits = 6

/** Sums beyond 2^53 - 1 are stored as that: they come of agents that make numbers up. */
const stored = (value: number) => Math.min(value, Number.MAX_SAFE_INTEGER)
const zigzag = (value: number) => (value < 0 ? -2 * value - 1 : 2 * value)
const unzigzag = (value: number) => (value % 2 === 0 ? value / 2 : -(value + 1) / 2)

const ahead = new Uint8Array(readAhead)

const written = { rows: new BitWriter(), service: new BitWriter(), late: new BitWriter() }
const head = new ByteWriter()

export function encodeChunk(table: SeriesTable): Buffer {
  for (const writer of Object.values(written)) writer.clear()
  writeRows(written.rows, table)
  const { service, late, length } = table
  if (service.slotLength > 0) writeSlots(written.service, service, length, false)
  if (late.slotLength > 0) writeSlots(written.late, late, length, true)
  const sections = [written.rows.end(), written.service.end(), written.late.end()]
  head.clear()
  head.byte(version)
  for (const section of sections) head.varint(section.length)
  return Buffer.concat([head.view(), ...sections, ahead])
}

function writeRows(writer: BitWriter, { length, width, agents, seconds, columns }: SeriesTable): void {
  writer.number(length, 32)
  const means = { agent: new Mean(), second: new Mean() }
  for (let row = 0, agent = 0, second = 0; row < length; row++) {
    writer.rice(zigzag((agents[row] ?? 0) - agent), means.agent)
    writer.rice(zigzag((seconds[row] ?? 0) - second), means.second)
    agent = agents[row] ?? 0
    second = seconds[row] ?? 0
  }
  writer.bits(width, 8)
  for (let column = 0; column < width; column++) {
    let lowest = Infinity
    let highest = 0
    for (let at = column; at < length * width; at += width) {
      const value = stored(columns[at] ?? 0)
      if (value < lowest) lowest = value
      if (value > highest) highest = value
    }
    writer.bits(highest === 0 ? 0 : 1, 1)
    if (highest === 0) continue
    const bits = widthOf(highest - lowest)
    writer.bits(widthOf(lowest), widthBits)
    writer.number(lowest, widthOf(lowest))
    writer.bits(bits, widthBits)
    for (let at = column; at < length * width; at += width)
      writer.number(stored(columns[at] ?? 0) - lowest, bits)
  }
}

function widthOf(value: number): number {
  return value < 2 ** 32 ? 32 - Math.clz32(value) : 64 - Math.clz32(Math.floor(value / 2 ** 32))
}

function writeSlots(
  writer: BitWriter,
  { slots, counts, ends, slotLength }: HistogramList,
  rows: number,
  isSigned: boolean,
): void {
  writer.number(slotLength, 32)
  coded.grow(slotLength)
  const { gaps, numbers } = coded
  const means = meansOfSlots()
  const pairs = { first: means.gap, second: means.count }
  let at = 0
  let lengthBefore = 0
  let firstBefore = 0
  for (let row = 0; row < rows; row++) {
    const end = ends[row] ?? 0
    const length = end - at
    writer.rice(zigzag(length - lengthBefore), means.length)
    lengthBefore = length
    if (length === 0) continue
    const start = at
    let before = -1
    for (; at < end; at++) {
      const slot = slots[at] ?? 0
      const count = counts[at] ?? 1
      gaps[at] = slot - before - 1
      numbers[at] = stored(isSigned ? zigzag(count) : count) - 1
      before = slot
    }
    const first = slots[start] ?? 0
    writer.rice(zigzag(first - firstBefore), means.first)
    firstBefore = first
    writer.rice(numbers[start] ?? 0, means.count)
    writer.ricePairs(gaps, numbers, start + 1, end, pairs)
  }
}

/** What is written of the slots of a section. */
const coded = {
  gaps: new Uint16Array(1 << 12),
  numbers: new Float64Array(1 << 12),
  grow(length: number): void {
    if (length <= this.gaps.length) return
    this.gaps = new Uint16Array(2 * length)
    this.numbers = new Float64Array(2 * length)
  },
}

function meansOfSlots() {
  return { length: new Mean(), first: new Mean(), gap: new Mean(), count: new Mean() }
}

/** Which histograms are read; those that are not are empty. */
export interface ChunkParts {
  service: boolean
  late: boolean
  /** Not read are those after the last row of which this is true. */
  isWanted?: (second: number) => boolean
  /** What holds the slots, as long as nobody else uses it. */
  memory?: SlotMemory
}

/** @throws SeriesFormatError for any bytes that `encodeChunk` does not write for such a series */
export function decodeChunk(
  kind: SeriesKind,
  bytes: Uint8Array,
  parts: ChunkParts = { service: true, late: true },
): SeriesTable {
  const reader = new ByteReader(bytes)
  const readVersion = reader.byte()
  if (readVersion !== version)
    throw reader.error(`a chunk has version ${readVersion}, and ${version} is read`)
  const lengths = { rows: reader.varint(), service: reader.varint(), late: reader.varint() }
  const section = (length: number) => {
    const start = reader.at
    reader.skip(length)
    if (reader.left < readAhead) throw reader.error('the bytes end too early')
    return new BitReader(bytes, start, reader.at)
  }
  const table = readRows(kind, section(lengths.rows))
  const rows = { all: table.length, read: wantedRows(table, parts.isWanted) }
  const { service, late } = table
  if (kind === 'requests') {
    const ofService = section(lengths.service)
    if (parts.service && lengths.service > 0) readSlots(ofService, service, rows, false, parts.memory)
    else endAll(service, table.length)
    const ofLate = section(lengths.late)
    if (parts.late && lengths.late > 0) readSlots(ofLate, late, rows, true, parts.memory)
    else endAll(late, table.length)
  }
  if (reader.left !== readAhead) throw reader.error('a chunk does not end after its last section')
  return table
}

function wantedRows({ seconds, length }: SeriesTable, isWanted: ChunkParts['isWanted']): number {
  let end = length
  if (isWanted !== undefined) while (end > 0 && !isWanted(seconds[end - 1] ?? 0)) end--
  return end
}

function endAll(list: HistogramList, rows: number): void {
  for (let row = 0; row < rows; row++) list.endOne()
}

function readRows(kind: SeriesKind, reader: BitReader): SeriesTable {
  const length = reader.bits(32)
  // Each takes a bit or more: what is not there is not made room for.
  if (length > Math.min(rowsMax, reader.left)) throw reader.error(`there are no ${length} rows`)
  const table = new SeriesTable(kind, length, 0)
  const { agents, seconds, columns, width } = table
  const means = { agent: new Mean(), second: new Mean() }
  for (let row = 0, agent = 0, second = 0; row < length; row++) {
    agent += unzigzag(reader.rice(means.agent))
    second += unzigzag(reader.rice(means.second))
    agents[row] = agent
    seconds[row] = second
    if (agents[row] !== agent || agent < -1 || seconds[row] !== second || second < 0)
      throw reader.error('an agent or a second is none')
  }
  table.length = length
  if (reader.bits(8) !== width) throw reader.error('a chunk has not the columns of its series')
  for (let column = 0; column < width; column++) {
    if (reader.bits(1) === 0) continue
    const lowest = reader.number(reader.bits(widthBits))
    const bits = reader.bits(widthBits)
    for (let at = column; at < length * width; at += width) columns[at] = lowest + reader.number(bits)
  }
  reader.checkEnd()
  return table
}

function readSlots(
  reader: BitReader,
  list: HistogramList,
  rows: { all: number; read: number },
  isSigned: boolean,
  memory: SlotMemory | undefined,
): void {
  const slotLength = reader.bits(32)
  // Each takes a bit or more.
  if (slotLength > reader.left) throw reader.error('there are fewer slots than it says')
  if (memory === undefined) list.reserve(slotLength)
  else memory.lend(list, slotLength)
  const { slots, counts } = list
  const means = meansOfSlots()
  const pairs = { first: means.gap, second: means.count }
  let at = 0
  let length = 0
  let first = 0
  for (let row = 0; row < rows.read; row++) {
    length += unzigzag(reader.rice(means.length))
    const end = at + length
    if (length < 0 || end > slotLength) throw reader.error('a row has no such number of slots')
    if (length > 0) {
      first += unzigzag(reader.rice(means.first))
      if (first < 0 || first >= slotCount) throw reader.error('there is no such slot')
      slots[at] = first
      counts[at] = reader.rice(means.count) + 1
      const slot = reader.slotPairs(slots, counts, { start: at + 1, end, slot: first }, pairs)
      if (slot >= slotCount) throw reader.error('a slot is beyond the last one')
    }
    at = end
    list.slotLength = at
    list.endOne()
  }
  if (rows.read < rows.all) for (let row = rows.read; row < rows.all; row++) list.endOne()
  else {
    if (at < slotLength) throw reader.error('there are more slots than there are in its rows')
    reader.checkEnd()
  }
  if (isSigned) for (let index = 0; index < at; index++) counts[index] = unzigzag(counts[index] ?? 0)
}
