import { gzipSync } from 'node:zlib'
import { limits } from '../limits.ts'
import { PairTable } from '../pair-table.ts'
import type { LabelSet, ProfileDetail } from '../profile-detail.ts'
import type { Profile } from '../profile.ts'
import { ByteWriter } from './byte-writer.ts'
import { ExportTooLarge } from './export-too-large.ts'
import { onlyLines, pprofRows } from './pprof-rows.ts'
import { StackWalk } from './stack-walk.ts'
import { wholeNumbers } from './whole-numbers.ts'

const wireVarint = 0
const wireBytes = 2

/**
 * A profile as a gzipped pprof file: https://github.com/google/pprof/blob/main/proto/profile.proto
 *
 * All sample types, with the profile's default; functions with file and start line; labels as texts; time and duration.
 * Lines are written where they are sure: where a sample is itself, and where all samples through a place of the tree
 * come from one line of the caller. One mapping without a name says that functions are known.
 *
 * Values are whole numbers: times with fractions become nanoseconds, other fractions are rounded so that sums stay.
 * What pprof cannot carry: when each sample was, counts of calls, and places of the tree without any value.
 */
export function exportPprof(
  profile: Profile,
  detail: ProfileDetail | undefined,
): { bytes: Uint8Array; notes: string[] } {
  const strings = new StringTable()
  const rows = pprofRows(profile, detail)
  const columns = profile.sampleTypes.map(({ unit }, type) => wholeNumbers(rows.values[type]!, unit))
  const out = new ByteWriter()
  const message = new ByteWriter()
  const write = (field: number, fill: (message: ByteWriter) => void) => {
    message.clear()
    fill(message)
    writeBytes(out, field, message.finish())
  }

  for (const [index, { type }] of profile.sampleTypes.entries()) {
    write(1, (sampleType) => {
      writeNumber(sampleType, 1, strings.index(type))
      writeNumber(sampleType, 2, strings.index(columns[index]!.unit))
    })
  }

  const locations = new PairTable({
    valueWidth: 1,
    maxCount: limits.tableEntries,
    overflow: () => new ExportTooLarge(`the file would have more than ${limits.tableEntries} locations`),
  })
  const { functionIndexes, parents } = profile.nodes
  const lineOfCaller = onlyLines(profile, detail?.lines)
  const labelMessages = (detail?.labelSets ?? [[]]).map((labels) => labelMessage(labels, strings))
  const walk = new StackWalk(parents)
  const packed = new ByteWriter()
  for (const [row, node] of rows.nodes.entries()) {
    if (columns.every(({ values }) => values[row] === 0)) continue
    const { path, depth } = walk.to(node)
    write(2, (sample) => {
      packed.clear()
      // The innermost function comes first.
      for (let index = depth - 1; index >= 0; index--) {
        const place = path[index]!
        const line = index === depth - 1 ? rows.lines[row]! : lineOfCaller[place]!
        packed.varint(locations.intern(functionIndexes[place]!, line))
      }
      writeBytes(sample, 1, packed.finish())
      packed.clear()
      for (const { values } of columns) packed.varint(values[row]!)
      writeBytes(sample, 2, packed.finish())
      sample.append(labelMessages[rows.labelSetIndexes[row]!]!)
    })
  }

  // Functions, files, lines and inlined functions are known: nobody shall look for a binary.
  write(3, (mapping) => {
    writeNumber(mapping, 1, 1)
    for (const field of [7, 8, 9, 10]) writeNumber(mapping, field, 1)
  })
  const isUsed = new Uint8Array(profile.functions.names.length)
  for (let location = 1; location < locations.count; location++) {
    const functionIndex = locations.firsts[location]!
    isUsed[functionIndex] = 1
    const line = new ByteWriter()
    writeNumber(line, 1, functionIndex + 1)
    writeNumber(line, 2, locations.seconds[location]!)
    write(4, (message_) => {
      writeNumber(message_, 1, location)
      writeNumber(message_, 2, 1)
      writeBytes(message_, 4, line.finish())
    })
  }
  writeFunctions(profile, isUsed, strings, write)

  const defaultType = strings.index(profile.sampleTypes[profile.defaultSampleTypeIndex]!.type)
  for (const text of strings.texts) write(6, (string) => string.text(text))
  if (profile.startedAt !== undefined) writeNumber(out, 9, Date.parse(profile.startedAt) * 1e6)
  if (profile.durationMs !== undefined) writeNumber(out, 10, Math.round(profile.durationMs * 1e6))
  writeNumber(out, 14, defaultType)
  const notes = columns.some(({ isRounded }) => isRounded)
    ? ['pprof has whole numbers only: fractions were rounded, so that sums stay.']
    : []
  return { bytes: gzipSync(out.finish()), notes }
}

function writeFunctions(
  { functions }: Profile,
  isUsed: Uint8Array,
  strings: StringTable,
  write: (field: number, fill: (message: ByteWriter) => void) => void,
): void {
  for (const [index, name] of functions.names.entries()) {
    if (isUsed[index] === 0) continue
    write(5, (message) => {
      writeNumber(message, 1, index + 1)
      writeNumber(message, 2, strings.index(name))
      writeNumber(message, 3, strings.index(name))
      writeNumber(message, 4, strings.index(functions.files[index]!))
      writeNumber(message, 5, functions.startLines[index]!)
    })
  }
}

/** The labels of a sample, as they stand in its message. */
function labelMessage(labels: LabelSet, strings: StringTable): Uint8Array {
  const all = new ByteWriter()
  for (const [name, value] of labels) {
    const label = new ByteWriter()
    writeNumber(label, 1, strings.index(name))
    writeNumber(label, 2, strings.index(value))
    writeBytes(all, 3, label.finish())
  }
  return all.finish()
}

function writeNumber(out: ByteWriter, field: number, value: number): void {
  if (value !== 0) out.varint(field * 8 + wireVarint).varint(value)
}

function writeBytes(out: ByteWriter, field: number, bytes: Uint8Array): void {
  out
    .varint(field * 8 + wireBytes)
    .varint(bytes.length)
    .append(bytes)
}

/** The first string of a pprof file is empty. */
class StringTable {
  private readonly indexes = new Map<string, number>([['', 0]])

  get texts(): Iterable<string> {
    return this.indexes.keys()
  }

  index(text: string): number {
    const known = this.indexes.get(text)
    if (known !== undefined) return known
    this.indexes.set(text, this.indexes.size)
    return this.indexes.size - 1
  }
}
