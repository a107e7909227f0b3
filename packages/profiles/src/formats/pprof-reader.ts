import { FormatError } from '../format-error.ts'
import type { ImportOptions } from '../importer.ts'
import { limits } from '../limits.ts'
import type { ImportedProfile } from '../profile.ts'
import { functionTree } from './pprof-function-tree.ts'
import { PprofSamples } from './pprof-samples.ts'
import { PprofTables } from './pprof-tables.ts'
import { endOfShortField, ProtobufCursor, wireBytes } from './protobuf.ts'

const sampleTag = 2 * 8 + wireBytes

/**
 * Reads a pprof file as its bytes come, so that a large one need never be there as a whole: what is kept is the tree of
 * its stacks, and its tables.
 */
export class PprofReader {
  private readonly tables = new PprofTables()
  private samples: PprofSamples | undefined
  private readonly maxNodes: number
  /** The beginning of a field of which the rest did not come yet: from `restStart` to before `restEnd`. */
  private rest = new Uint8Array(0)
  private restStart = 0
  private restEnd = 0
  /** Bytes before the rest. */
  private readCount = 0

  constructor(options: ImportOptions) {
    this.maxNodes = options.maxNodes ?? limits.nodes
  }

  /** The bytes may be overwritten afterwards. */
  push(bytes: Uint8Array): void {
    if (this.restStart === this.restEnd) {
      const read = this.readFields(bytes)
      this.keep(bytes.subarray(read))
    } else {
      this.keep(bytes)
      this.restStart += this.readFields(this.rest.subarray(this.restStart, this.restEnd))
    }
  }

  finish(): ImportedProfile {
    const cursor = this.cursorOver(this.rest.subarray(this.restStart, this.restEnd))
    while (cursor.position < cursor.end) this.readField(cursor)
    this.samples?.finishBatch(cursor)
    const { tables, samples } = this
    tables.check()
    if (samples === undefined) throw new FormatError('the profile holds no samples', { format: 'pprof' })
    if (tables.sampleTypeCount === 0)
      throw new FormatError('the file has no sample types', { format: 'pprof' })
    samples.checkTypeCount(tables.sampleTypeCount)
    samples.finish()

    const warnings: string[] = []
    const { defaultSampleTypeIndex } = tables
    const {
      places,
      detail: lines,
      ...tree
    } = functionTree(samples, tables, { maxNodes: this.maxNodes, warnings })
    samples.stacks.letGo()
    const labelled = samples.labels.labelled(tables.strings, places, tree.selfValues)
    return {
      format: 'pprof',
      sampleTypes: tables.sampleTypes,
      defaultSampleTypeIndex,
      durationMs: tables.durationNanos > 0 ? tables.durationNanos / 1e6 : undefined,
      startedAt: toIsoTime(tables.timeNanos),
      sampleCount: samples.count,
      ...tree,
      detail: lines && labelled ? { ...lines, ...labelled } : (lines ?? labelled),
      labels: samples.labels.summarize(tables.strings, defaultSampleTypeIndex, warnings),
      threads: [],
      warnings,
    }
  }

  /** Reads the fields that are whole and gives how many bytes those are. */
  private readFields(bytes: Uint8Array): number {
    const cursor = this.cursorOver(bytes)
    for (;;) {
      const start = cursor.position
      const end = bytes[start] === sampleTag ? endOfShortField(bytes, start, bytes.length) : -1
      if (this.samples !== undefined && end !== -1 && end <= bytes.length) {
        cursor.position += bytes[start + 1]! < 128 ? 2 : 3
        this.samples.read(cursor, start, end)
      } else if (isFieldWhole(bytes, start)) this.readField(cursor)
      else break
    }
    const read = cursor.position
    this.samples?.finishBatch(cursor)
    this.readCount += read
    return read
  }

  private readField(cursor: ProtobufCursor): void {
    const start = cursor.position
    const tag = cursor.readTag()
    if (tag !== sampleTag) {
      this.tables.readField(cursor, tag, start)
      return
    }
    const end = cursor.readLength()
    this.samples ??= new PprofSamples(cursor, { start, end, maxNodes: this.maxNodes })
    this.samples.read(cursor, start, end)
  }

  private cursorOver(bytes: Uint8Array): ProtobufCursor {
    return new ProtobufCursor(bytes, 'pprof', 0, bytes.length, this.readCount)
  }

  /** Adds to the rest; in place where there is room, so that a field of many pieces is not copied for each. */
  private keep(bytes: Uint8Array): void {
    const length = this.restEnd - this.restStart + bytes.length
    if (this.restEnd + bytes.length > this.rest.length) {
      const isMore = this.restEnd > this.restStart
      const to = length > this.rest.length ? new Uint8Array(isMore ? length * 2 : length) : this.rest
      to.set(this.rest.subarray(this.restStart, this.restEnd))
      this.rest = to
      this.restEnd -= this.restStart
      this.restStart = 0
    }
    this.rest.set(bytes, this.restEnd)
    this.restEnd += bytes.length
  }
}

/** Whether a field begins here and ends within the bytes. Of those that nobody writes, the reader tells what is wrong. */
function isFieldWhole(bytes: Uint8Array, start: number): boolean {
  const length = bytes.length
  let position = start
  while (position < length && bytes[position]! >= 128 && position < start + 10) position++
  if (position >= length) return false
  const wireType = bytes[start]! & 7
  position++
  if (wireType === 1 || wireType === 5) return position + (wireType === 1 ? 8 : 4) <= length
  let value = 0
  for (let scale = 1; position < length; scale *= 128) {
    const byte = bytes[position++]!
    value += (byte & 127) * scale
    if (byte < 128 || scale > 2 ** 63) return wireType !== wireBytes || position + value <= length
  }
  return false
}

function toIsoTime(unixNanos: number): string | undefined {
  const time = new Date(unixNanos / 1e6)
  return unixNanos === 0 || Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
