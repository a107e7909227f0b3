import { FormatError } from '../format-error.ts'
import { Fingerprints } from '../fingerprints.ts'
import { limits } from '../limits.ts'
import { PairTable } from '../pair-table.ts'
import { denseIds, type IdIndex } from './pprof-columns.ts'
import { PprofLabels } from './pprof-labels.ts'
import { wireBytes, wireVarint, type ProtobufCursor } from './protobuf.ts'

const locationIdsTag = 1 * 8 + wireBytes
const locationIdTag = 1 * 8 + wireVarint
const valuesTag = 2 * 8 + wireBytes
const valueTag = 2 * 8 + wireVarint
const labelTag = 3 * 8 + wireBytes

/**
 * The samples of a file as a call tree of locations, with values where stacks end, and their labels. Locations mostly come
 * after the samples, so whether there are such is seen at the end.
 *
 * This is where the time goes for large files, so nothing is made per sample:
 *
 * - a stack that was there before is known by its bytes, and not read again;
 * - others go into one scratch array; short varints are read in place;
 * - a stack mostly begins like the one before, so only what differs is looked up in the tree. Files list the
 *   innermost frame first, so the common part is compared from the end:
 *
 *     before   [read, parse, main]           frames  main parse read
 *     now      [skip, parse, main]                   -----+---- skip
 */
export class PprofSamples {
  count = 0
  /** How many values a sample has. The first one tells, since the types may come after the samples. */
  private readonly typeCount: number
  /** Where the first sample begins in the file. */
  private readonly firstStart: number
  /** (Parent node, code). A code is the id of a location, or -1 - index for those in `largeIds`. */
  readonly tree: PairTable
  readonly labels: PprofLabels
  private readonly largeIds: (number | bigint)[] = []
  private readonly largeIdIndexes = new Map<number | bigint, number>()
  private readonly known = new Fingerprints(limits.nodes)
  /** Of the sample that is read, innermost first. */
  private codes = new Int32Array(256)
  private readonly values: Float64Array
  /** The last stack that was looked up, outermost first, and its nodes. */
  private previousCodes = new Int32Array(256)
  private pathNodes = new Int32Array(256)
  private previousDepth = 0

  /** @param cursor at the first sample, its tag and length before it; it stays there */
  constructor(cursor: ProtobufCursor, options: { start: number; end: number; maxNodes: number }) {
    this.firstStart = cursor.offset + options.start
    this.typeCount = countValues(cursor, options.end)
    if (this.typeCount > limits.sampleTypes) cursor.fail('a sample has too many values')
    this.values = new Float64Array(this.typeCount)
    const maxNodes = Math.min(options.maxNodes, Math.floor(limits.values / Math.max(1, this.typeCount)))
    this.tree = new PairTable({
      valueWidth: this.typeCount,
      maxCount: maxNodes,
      overflow: () => new FormatError(`the call tree has more than ${maxNodes} nodes`, { format: 'pprof' }),
    })
    this.labels = new PprofLabels(this.typeCount)
  }

  /** Reads the sample that ends at `end`; the cursor is after its tag and length. */
  read(cursor: ProtobufCursor, start: number, end: number): void {
    const { values, labels, typeCount, tree } = this
    const outerEnd = cursor.end
    cursor.end = end
    // A list of locations that was not read yet, since it may be known, and what others there are.
    let unreadStart = -1
    let unreadEnd = -1
    let codeCount = 0
    let valueCount = 0
    while (cursor.position < end) {
      const fieldStart = cursor.position
      const tag = cursor.readTag()
      if (tag === valuesTag) {
        const listEnd = cursor.readLength()
        while (cursor.position < listEnd) values[valueCount++] = cursor.readInt()
        if (cursor.position !== listEnd) cursor.fail('a value goes beyond its list', listEnd)
      } else if (tag === valueTag) values[valueCount++] = cursor.readInt()
      else if (tag === locationIdsTag || tag === locationIdTag) {
        const listEnd = tag === locationIdsTag ? cursor.readLength() : endOfVarint(cursor)
        const listStart = cursor.position
        if (unreadEnd !== -1) codeCount = this.readCodes(cursor, unreadStart, unreadEnd, codeCount)
        unreadStart = listStart
        unreadEnd = listEnd
        cursor.position = listEnd
      } else {
        cursor.skip(tag)
        if (tag === labelTag) labels.add(fieldStart, cursor.position)
      }
    }
    if (cursor.position !== end) cursor.fail('a field goes beyond its sample', end)
    if (valueCount !== typeCount) {
      cursor.fail(`a sample has ${valueCount} values for ${typeCount} sample types`, start)
    }
    let node = 0
    if (codeCount > 0) {
      node = this.nodeOfCodes(this.readCodes(cursor, unreadStart, unreadEnd, codeCount))
    } else if (unreadEnd !== -1) node = this.nodeOfList(cursor, unreadStart, unreadEnd)
    for (let type = 0; type < typeCount; type++) tree.values[node * typeCount + type]! += values[type]!
    labels.finishSample(cursor, node, values)
    cursor.position = end
    cursor.end = outerEnd
    this.count++
  }

  /** The number of sample types is known when all was read. */
  checkTypeCount(sampleTypeCount: number): void {
    if (this.typeCount === sampleTypeCount) return
    throw new FormatError(`a sample has ${this.typeCount} values for ${sampleTypeCount} sample types`, {
      format: 'pprof',
      where: `byte ${this.firstStart}`,
    })
  }

  /** The index of the location that a code stands for. */
  locationOf(code: number, ids: IdIndex): number {
    const id = code < 0 ? this.largeIds[-1 - code]! : code
    const location = ids.find(id)
    if (location === -1) {
      throw new FormatError(`a sample names location ${id}, which the file does not define`, {
        format: 'pprof',
      })
    }
    return location
  }

  /** Where the stack of a sample ends that has one list of locations. */
  private nodeOfList(cursor: ProtobufCursor, start: number, end: number): number {
    const known = this.known.find(cursor.bytes, start, end)
    if (known !== -1) return known
    const node = this.nodeOfCodes(this.readCodes(cursor, start, end, 0))
    this.known.remember(node)
    return node
  }

  /** Where the stack ends that is the first `count` of the codes. */
  private nodeOfCodes(count: number): number {
    const { codes, tree } = this
    this.previousCodes = enlarged(this.previousCodes, count)
    this.pathNodes = enlarged(this.pathNodes, count)
    const { previousCodes, pathNodes } = this
    const comparable = Math.min(count, this.previousDepth)
    let depth = 0
    while (depth < comparable && codes[count - 1 - depth] === previousCodes[depth]) depth++
    let node = depth === 0 ? 0 : pathNodes[depth - 1]!
    for (; depth < count; depth++) {
      const code = codes[count - 1 - depth]!
      node = tree.intern(node, code)
      previousCodes[depth] = code
      pathNodes[depth] = node
    }
    this.previousDepth = count
    return node
  }

  /** Reads a list of location ids as codes and gives the new number of codes. Nearly all ids take one to three bytes. */
  private readCodes(cursor: ProtobufCursor, start: number, end: number, count: number): number {
    const { bytes } = cursor
    let position = start
    this.codes = enlarged(this.codes, count + end - start)
    const { codes } = this
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
      codes[filled++] = this.codeOf(cursor.readId())
      position = cursor.position
    }
    if (position !== end) cursor.fail('a location id goes beyond its list', end)
    return filled
  }

  private codeOf(id: number | bigint): number {
    if (typeof id === 'number' && id < denseIds) return id
    const index = this.largeIdIndexes.get(id) ?? this.largeIds.push(id) - 1
    if (index >= limits.tableEntries) {
      throw new FormatError(`samples name more than ${limits.tableEntries} locations`, { format: 'pprof' })
    }
    this.largeIdIndexes.set(id, index)
    return -1 - index
  }
}

/** Where the number at the cursor ends, to be read like a list of one. */
function endOfVarint(cursor: ProtobufCursor): number {
  const { position } = cursor
  cursor.readId()
  const end = cursor.position
  cursor.position = position
  return end
}

/** The column itself when it is long enough, else a longer copy. */
function enlarged(column: Int32Array<ArrayBuffer>, least: number): Int32Array<ArrayBuffer> {
  if (least <= column.length) return column
  const longer = new Int32Array(Math.max(least, column.length * 2))
  longer.set(column)
  return longer
}

function countValues(cursor: ProtobufCursor, end: number): number {
  const { position, end: outerEnd } = cursor
  cursor.end = end
  let count = 0
  while (cursor.position < end) {
    const tag = cursor.readTag()
    if (tag === valuesTag) {
      const listEnd = cursor.readLength()
      for (; cursor.position < listEnd; count++) cursor.readInt()
    } else {
      cursor.skip(tag)
      if (tag === valueTag) count++
    }
  }
  cursor.position = position
  cursor.end = outerEnd
  return count
}
