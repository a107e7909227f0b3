import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import { PairTable } from '../pair-table.ts'
import { denseIds, type IdIndex } from './pprof-columns.ts'
import { PprofLabels } from './pprof-labels.ts'
import type { PprofTables } from './pprof-tables.ts'
import { ProtobufCursor, wireBytes, wireVarint } from './protobuf.ts'

const sampleTag = 2 * 8 + wireBytes
const locationIdsTag = 1 * 8 + wireBytes
const locationIdTag = 1 * 8 + wireVarint
const valuesTag = 2 * 8 + wireBytes
const valueTag = 2 * 8 + wireVarint
const labelTag = 3 * 8 + wireBytes

/**
 * Reads all samples into a call tree of locations: (parent node, location index), values at the nodes where
 * stacks end. This is where the time goes for large files, so nothing is made per sample:
 *
 * - stacks go into one scratch array; short varints are read in place;
 * - a stack mostly begins like the one before, so only what differs is looked up in the tree. Files list the
 *   innermost frame first, so the common part is compared from the end:
 *
 *     before   [read, parse, main]           frames  main parse read
 *     now      [skip, parse, main]                   -----+---- skip
 */
export function readSamples(
  bytes: Uint8Array,
  tables: PprofTables,
  options: { maxNodes: number },
): { tree: PairTable; labels: PprofLabels } {
  const typeCount = tables.sampleTypeCount
  const maxNodes = Math.min(options.maxNodes, Math.floor(limits.values / typeCount))
  const tree = new PairTable({
    valueWidth: typeCount,
    maxCount: maxNodes,
    overflow: () => new FormatError(`the call tree has more than ${maxNodes} nodes`, { format: 'pprof' }),
    capacity: Math.min(2 ** 16, Math.max(1024, tables.sampleCount)),
  })
  const labels = new PprofLabels(typeCount)
  const cursor = new ProtobufCursor(bytes, 'pprof', tables.samplesStart, tables.samplesEnd)
  const { locationIds } = tables
  const { dense } = locationIds

  let codes = new Int32Array(256)
  const values = new Float64Array(typeCount)
  // The stack before, outermost first, and its nodes.
  let previousCodes = new Int32Array(256)
  let pathNodes = new Int32Array(256)
  let previousDepth = 0

  while (cursor.position < tables.samplesEnd) {
    const sampleStart = cursor.position
    const outerTag = cursor.readTag()
    if (outerTag !== sampleTag) {
      cursor.skip(outerTag)
      continue
    }
    const sampleEnd = cursor.readLength()
    cursor.end = sampleEnd
    let codeCount = 0
    let valueCount = 0
    labels.startSample()
    while (cursor.position < sampleEnd) {
      const tag = cursor.readTag()
      if (tag === locationIdsTag || tag === locationIdTag) {
        const end = tag === locationIdsTag ? cursor.readLength() : endOfVarint(bytes, cursor.position)
        codes = enlarged(codes, codeCount + end - cursor.position)
        codeCount = readCodes(cursor, end, codes, codeCount, locationIds)
      } else if (tag === valuesTag || tag === valueTag) {
        const end = tag === valuesTag ? cursor.readLength() : endOfVarint(bytes, cursor.position)
        while (cursor.position < end) values[valueCount++] = cursor.readInt()
        if (cursor.position !== end) cursor.fail('a value goes beyond its list', end)
      } else if (tag === labelTag) labels.readLabel(cursor)
      else cursor.skip(tag)
    }
    cursor.end = tables.samplesEnd
    if (cursor.position !== sampleEnd) cursor.fail('a field goes beyond its sample', sampleEnd)
    if (valueCount !== typeCount) {
      cursor.fail(`a sample has ${valueCount} values for ${typeCount} sample types`, sampleStart)
    }

    previousCodes = enlarged(previousCodes, codeCount)
    pathNodes = enlarged(pathNodes, codeCount)
    const comparable = Math.min(codeCount, previousDepth)
    let depth = 0
    while (depth < comparable && codes[codeCount - 1 - depth] === previousCodes[depth]) depth++
    let node = depth === 0 ? 0 : pathNodes[depth - 1]!
    for (; depth < codeCount; depth++) {
      const code = codes[codeCount - 1 - depth]!
      const location = code < 0 ? -1 - code : code < dense.length ? dense[code]! - 1 : -1
      if (location < 0)
        cursor.fail(`a sample names location ${code}, which the file does not define`, sampleStart)
      node = tree.intern(node, location)
      previousCodes[depth] = code
      pathNodes[depth] = node
    }
    previousDepth = codeCount
    for (let type = 0; type < typeCount; type++) tree.values[node * typeCount + type]! += values[type]!
    labels.finishSample(values)
  }
  return { tree, labels }
}

/**
 * Reads location ids up to `end` as codes and gives the new number of codes. A code is the id, or -1 - index
 * for ids too large for the dense table. Nearly all ids take one to three bytes.
 */
function readCodes(
  cursor: ProtobufCursor,
  end: number,
  codes: Int32Array,
  count: number,
  ids: IdIndex,
): number {
  const { bytes } = cursor
  let position = cursor.position
  let filled = count
  while (position < end) {
    const first = bytes[position]!
    if (first < 128) {
      codes[filled++] = first
      position += 1
      continue
    }
    const second = bytes[position + 1]!
    if (second < 128) {
      codes[filled++] = (first & 127) | (second << 7)
      position += 2
      continue
    }
    const third = bytes[position + 2]!
    if (third < 128) {
      codes[filled++] = (first & 127) | ((second & 127) << 7) | (third << 14)
      position += 3
      continue
    }
    cursor.position = position
    const id = cursor.readId()
    const isDense = typeof id === 'number' && id < denseIds
    const location = isDense ? 0 : ids.find(id)
    if (location === -1)
      cursor.fail(`a sample names location ${id}, which the file does not define`, position)
    codes[filled++] = isDense ? id : -1 - location
    position = cursor.position
  }
  if (position !== end) cursor.fail('a location id goes beyond its list', end)
  cursor.position = position
  return filled
}

/** Where a single number ends, to be read like a list of one. At ten bytes at most, so that none is searched far. */
function endOfVarint(bytes: Uint8Array, start: number): number {
  let position = start
  while (bytes[position]! >= 128 && position < start + 10) position++
  return position + 1
}

/** The column itself when it is long enough, else a longer copy. */
function enlarged(column: Int32Array<ArrayBuffer>, least: number): Int32Array<ArrayBuffer> {
  if (least <= column.length) return column
  const longer = new Int32Array(Math.max(least, column.length * 2))
  longer.set(column)
  return longer
}
