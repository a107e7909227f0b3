import { ByteFingerprint } from '../byte-fingerprint.ts'
import { FingerprintTable } from '../fingerprint-table.ts'
import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import { denseIds, type IdIndex } from './pprof-columns.ts'
import { PprofLabels } from './pprof-labels.ts'
import { PprofStacks } from './pprof-stacks.ts'
import { endOfShortField, wireBytes, wireVarint, type ProtobufCursor } from './protobuf.ts'

const locationIdsTag = 1 * 8 + wireBytes
const locationIdTag = 1 * 8 + wireVarint
const valuesTag = 2 * 8 + wireBytes
const valueTag = 2 * 8 + wireVarint
const labelTag = 3 * 8 + wireBytes

/** Samples that are worked on together. */
const batchSize = 256

/**
 * The samples of a file as a tree of stacks of locations, with values where stacks end, and their labels. Locations mostly
 * come after the samples, so whether there are such is seen at the end.
 *
 * This is where the time goes for large files, so nothing is made per sample:
 *
 * - What everybody writes is read in place: lengths of one or two bytes, numbers of one to three. The rest is left to the
 *   cursor, which says what is wrong with it.
 * - A stack that was there before is known by its bytes, and not read again.
 * - Looking for it, and adding values to where it ends, are misses of the cache. Done sample by sample, each is waited
 *   for; so a few hundred samples are read first, and then each step is done for all of them: there, the processor is at
 *   many of them at once.
 */
export class PprofSamples {
  count = 0
  /** How many values a sample has. The first one tells, since the types may come after the samples. */
  private readonly typeCount: number
  /** Where the first sample begins in the file. */
  private readonly firstStart: number
  /** A code is the id of a location, or -1 - index for those in `largeIds`. */
  readonly stacks: PprofStacks
  readonly labels: PprofLabels
  private readonly largeIds: (number | bigint)[] = []
  private readonly largeIdIndexes = new Map<number | bigint, number>()
  /** Nodes of stacks that were read, by the bytes of their lists. */
  private known = new FingerprintTable()
  private readonly fingerprint = new ByteFingerprint()
  /** Of the stack that is read, innermost first. */
  private codes = new Int32Array(256)

  /** The batch: of each sample, its list of locations with its fingerprint, where its stack ends, its labels, its values. */
  private batchCount = 0
  private readonly listStarts = new Int32Array(batchSize)
  private readonly listEnds = new Int32Array(batchSize)
  private readonly lows = new Int32Array(batchSize)
  private readonly highs = new Int32Array(batchSize)
  private readonly nodes = new Int32Array(batchSize)
  private readonly labelSets = new Int32Array(batchSize)
  private readonly values: Float64Array
  /** The stack of the last one, where it is of several lists. Go's writer makes such of up to two locations. */
  private joined: Int32Array | undefined

  /** @param cursor at the first sample, its tag and length before it; it stays there */
  constructor(cursor: ProtobufCursor, options: { start: number; end: number; maxNodes: number }) {
    this.firstStart = cursor.offset + options.start
    this.typeCount = countValues(cursor, options.end)
    if (this.typeCount > limits.sampleTypes) cursor.fail('a sample has too many values')
    this.values = new Float64Array(batchSize * this.typeCount)
    const maxNodes = Math.min(options.maxNodes, Math.floor(limits.values / Math.max(1, this.typeCount)))
    this.stacks = new PprofStacks({
      valueWidth: this.typeCount,
      maxCount: maxNodes,
      overflow: () => new FormatError(`the call tree has more than ${maxNodes} nodes`, { format: 'pprof' }),
    })
    this.labels = new PprofLabels(this.typeCount)
  }

  /**
   * Reads the sample that ends at `end`; the cursor is after its tag and length, and goes behind it. Before bytes are let go
   * of, call `finishBatch`.
   */
  read(cursor: ProtobufCursor, start: number, end: number): void {
    const { bytes, end: outerEnd } = cursor
    cursor.end = end
    // The last list of locations is not read yet, since it may be known; of those before, `codeCount` codes are.
    let listStart = 0
    let listEnd = -1
    let codeCount = 0
    let valueCount = 0
    for (let position = cursor.position; position < end;) {
      const fieldStart = position
      let tag = bytes[position]!
      const isUsual = tag === locationIdsTag || tag === valuesTag || tag === labelTag
      let fieldEnd = isUsual ? endOfShortField(bytes, position, end) : -1
      if (fieldEnd !== -1 && fieldEnd <= end) position += bytes[position + 1]! < 128 ? 2 : 3
      else {
        cursor.position = position
        tag = cursor.readTag()
        if (tag % 8 === wireBytes) fieldEnd = cursor.readLength()
        else if (tag === valueTag || tag === locationIdTag) fieldEnd = endOfVarint(cursor)
        else {
          cursor.skip(tag)
          fieldEnd = cursor.position
        }
        position = cursor.position
      }

      if (tag === locationIdsTag || tag === locationIdTag) {
        if (listEnd !== -1) codeCount = this.readCodes(cursor, listStart, listEnd, codeCount)
        listStart = position
        listEnd = fieldEnd
      } else if (tag === valuesTag || tag === valueTag) {
        valueCount = this.readValues(cursor, position, fieldEnd, valueCount)
      } else if (tag === labelTag) this.labels.add(fieldStart, fieldEnd)
      position = fieldEnd
    }
    if (valueCount !== this.typeCount) {
      cursor.fail(`a sample has ${valueCount} values for ${this.typeCount} sample types`, start)
    }
    if (codeCount > 0) {
      this.joined = this.codes.slice(0, this.readCodes(cursor, listStart, listEnd, codeCount))
      listEnd = -1
    }
    this.addToBatch(bytes, listStart, listEnd)
    this.labelSets[this.batchCount] = this.labels.finishSample(
      cursor,
      this.values,
      this.batchCount * this.typeCount,
    )
    this.count++
    this.batchCount++
    if (this.batchCount === batchSize || codeCount > 0) this.finishBatch(cursor)
    cursor.position = end
    cursor.end = outerEnd
  }

  /** Adds the samples that were read to where their stacks end, and to their labels. The cursor may be anywhere afterwards. */
  finishBatch(cursor: ProtobufCursor): void {
    const { batchCount, nodes, lows, known, values, typeCount, stacks } = this
    known.touch(lows, batchCount)
    for (let sample = 0; sample < batchCount; sample++) {
      if (nodes[sample] === -1) nodes[sample] = this.nodeOfList(cursor, sample)
    }
    if (this.joined !== undefined) nodes[batchCount - 1] = stacks.intern(this.joined, this.joined.length)
    this.joined = undefined
    const sums = stacks.values
    for (let sample = 0; sample < batchCount; sample++) {
      const row = nodes[sample]! * typeCount
      for (let type = 0; type < typeCount; type++) sums[row + type]! += values[sample * typeCount + type]!
    }
    this.labels.addRows(nodes, this.labelSets, values, batchCount)
    this.batchCount = 0
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

  /** Lets go of what is only needed while samples are read. */
  finish(): void {
    this.known.letGo()
    this.stacks.finish()
  }

  /** `listEnd` is -1 where there is no list, or one that was read already. */
  private addToBatch(bytes: Uint8Array, listStart: number, listEnd: number): void {
    const { batchCount, fingerprint } = this
    this.nodes[batchCount] = 0
    if (listEnd === -1) return
    fingerprint.read(bytes, listStart, listEnd)
    this.listStarts[batchCount] = listStart
    this.listEnds[batchCount] = listEnd
    this.lows[batchCount] = fingerprint.low
    this.highs[batchCount] = fingerprint.high
    this.nodes[batchCount] = -1
  }

  /** Where the stack of a sample of the batch ends. */
  private nodeOfList(cursor: ProtobufCursor, sample: number): number {
    const low = this.lows[sample]!
    const high = this.highs[sample]!
    const known = this.known.find(low, high)
    if (known !== -1) return known
    const depth = this.readCodes(cursor, this.listStarts[sample]!, this.listEnds[sample]!, 0)
    const node = this.stacks.intern(this.codes, depth)
    if (this.known.count < limits.nodes) this.known.add(low, high, node)
    return node
  }

  /** Reads a list of values and gives the new number of them. Seven bytes are 49 bits, which are exact. */
  private readValues(cursor: ProtobufCursor, start: number, end: number, count: number): number {
    const { bytes } = cursor
    const { values } = this
    const firstValue = this.batchCount * this.typeCount
    let position = start
    for (let filled = count; ; filled++) {
      if (position >= end) {
        if (position !== end) cursor.fail('a value goes beyond its list', end)
        return filled
      }
      const first = position
      let byte = bytes[position++]!
      let value = byte & 127
      for (let scale = 128; byte >= 128 && position < end && scale < 2 ** 49; scale *= 128) {
        byte = bytes[position++]!
        value += (byte & 127) * scale
      }
      if (byte >= 128) {
        cursor.position = first
        value = cursor.readInt()
        position = cursor.position
      }
      values[firstValue + filled] = value
    }
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
