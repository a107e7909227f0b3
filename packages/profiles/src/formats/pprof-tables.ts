import { FormatError } from '../format-error.ts'
import { toLine } from '../function-interner.ts'
import { limits } from '../limits.ts'
import type { SampleType } from '../profile.ts'
import { IdIndex, Int32Column, PprofStrings } from './pprof-columns.ts'
import { ProtobufCursor, wireBytes, wireVarint } from './protobuf.ts'

/** `field number * 8 + wire type` in `message Profile`. */
const tags = {
  sampleType: 1 * 8 + wireBytes,
  mapping: 3 * 8 + wireBytes,
  location: 4 * 8 + wireBytes,
  function: 5 * 8 + wireBytes,
  string: 6 * 8 + wireBytes,
  dropFrames: 7 * 8 + wireVarint,
  keepFrames: 8 * 8 + wireVarint,
  timeNanos: 9 * 8 + wireVarint,
  durationNanos: 10 * 8 + wireVarint,
  defaultSampleType: 14 * 8 + wireVarint,
}

/** Wire types of fields 1 to 14. Repeated numbers may be packed. */
const wireTypes = [[], [2], [2], [2], [2], [2], [2], [0], [0], [0], [0], [2], [0], [0, 2], [0]]

/** Whether field number and wire type go together as in `message Profile`; unknown fields may be anything. */
export function isProfileTag(tag: number): boolean {
  return wireTypes[tag >>> 3]?.includes(tag & 7) ?? true
}

/**
 * What a pprof file says besides its samples, as columns.
 * https://github.com/google/pprof/blob/main/proto/profile.proto
 *
 * A location is where a stack frame points to. Its lines are the functions there, innermost first: more than
 * one when the compiler inlined. On the wire, samples mostly come before the locations they name, locations before
 * their functions, and functions before their strings.
 */
export class PprofTables {
  readonly locationIds = new IdIndex()
  /** Lines of location `i`: from `lineStarts[i]` to before `lineEnds[i]`. */
  readonly lineStarts = new Int32Column()
  readonly lineEnds = new Int32Column()
  /** Index of the mapping plus one, 0 for none. */
  readonly locationMappings = new Int32Column()
  readonly lineFunctions = new Int32Column()
  readonly lineNumbers = new Int32Column()

  readonly functionIds = new IdIndex()
  /** Columns of string indexes. */
  readonly functionNames = new Int32Column()
  readonly functionSystemNames = new Int32Column()
  readonly functionFiles = new Int32Column()
  readonly functionStartLines = new Int32Column()

  readonly mappingIds = new IdIndex()
  readonly mappingFiles = new Int32Column()

  readonly strings = new PprofStrings()
  timeNanos = 0
  durationNanos = 0
  private readonly sampleTypeStrings: { type: number; unit: number }[] = []
  private dropFramesString = 0
  private keepFramesString = 0
  private defaultSampleTypeString = 0
  private readonly definedLocations = new Int32Column()
  private readonly definedFunctions = new Int32Column()

  get sampleTypes(): SampleType[] {
    return this.sampleTypeStrings.map(({ type, unit }) => ({
      type: this.strings.get(type),
      unit: this.strings.get(unit),
    }))
  }

  get sampleTypeCount(): number {
    return this.sampleTypeStrings.length
  }

  /** As `go tool pprof` chooses: the one the file names, else the last. */
  get defaultSampleTypeIndex(): number {
    const wanted = this.strings.get(this.defaultSampleTypeString)
    const named = wanted === '' ? -1 : this.sampleTypes.findIndex(({ type }) => type === wanted)
    return named === -1 ? this.sampleTypeCount - 1 : named
  }

  get dropFrames(): string {
    return this.strings.get(this.dropFramesString)
  }

  get keepFrames(): string {
    return this.strings.get(this.keepFramesString)
  }

  /** Reads a field that is no sample; the cursor is after its tag, which begins at `start`. */
  readField(cursor: ProtobufCursor, tag: number, start: number): void {
    if (!isProfileTag(tag))
      cursor.fail(`field ${tag >>> 3} of wire type ${tag & 7} is not of a pprof file`, start)
    if (tag === tags.string) {
      const end = cursor.readLength()
      this.strings.add(cursor.bytes.subarray(cursor.position, end), cursor.offset + cursor.position)
      cursor.position = end
    } else if (tag === tags.location) this.readLocation(this.message(cursor), start)
    else if (tag === tags.function) this.readFunction(this.message(cursor), start)
    else if (tag === tags.mapping) this.readMapping(this.message(cursor))
    else if (tag === tags.sampleType) this.readSampleType(this.message(cursor), start)
    else if (tag === tags.dropFrames) this.dropFramesString = cursor.readUint()
    else if (tag === tags.keepFrames) this.keepFramesString = cursor.readUint()
    else if (tag === tags.defaultSampleType) this.defaultSampleTypeString = cursor.readUint()
    else if (tag === tags.durationNanos) this.durationNanos = cursor.readInt()
    else if (tag === tags.timeNanos) {
      if (this.timeNanos !== 0) cursor.fail('two profiles were concatenated', start)
      this.timeNanos = cursor.readInt()
    } else cursor.skip(tag)
  }

  /** A cursor over the message that starts here; the outer cursor goes on after it. */
  private message(cursor: ProtobufCursor): ProtobufCursor {
    const end = cursor.readLength()
    const message = new ProtobufCursor(cursor.bytes, 'pprof', cursor.position, end, cursor.offset)
    cursor.position = end
    return message
  }

  private readSampleType(message: ProtobufCursor, start: number): void {
    const sampleType = { type: 0, unit: 0 }
    while (message.position < message.end) {
      const tag = message.readTag()
      if (tag === 1 * 8 + wireVarint) sampleType.type = message.readUint()
      else if (tag === 2 * 8 + wireVarint) sampleType.unit = message.readUint()
      else message.skip(tag)
    }
    this.sampleTypeStrings.push(sampleType)
    if (this.sampleTypeCount > limits.sampleTypes) message.fail('too many sample types', start)
  }

  private readLocation(message: ProtobufCursor, start: number): void {
    let id: number | bigint = 0
    let mappingId: number | bigint = 0
    const linesStart = this.lineFunctions.length
    while (message.position < message.end) {
      const tag = message.readTag()
      if (tag === 1 * 8 + wireVarint) id = message.readId()
      else if (tag === 2 * 8 + wireVarint) mappingId = message.readId()
      else if (tag === 4 * 8 + wireBytes) this.readLine(this.message(message), start)
      else message.skip(tag)
    }
    if (id === 0) message.fail('a location has no id, or 0', start)
    const index = this.locationIds.intern(id)
    if (this.definedLocations.values[index]) message.fail(`two locations have the id ${id}`, start)
    this.definedLocations.set(index, 1)
    this.lineStarts.set(index, linesStart)
    this.lineEnds.set(index, this.lineFunctions.length)
    this.locationMappings.set(index, mappingId === 0 ? 0 : this.mappingIds.intern(mappingId) + 1)
  }

  private readLine(message: ProtobufCursor, start: number): void {
    let functionId: number | bigint = 0
    let line = 0
    while (message.position < message.end) {
      const tag = message.readTag()
      if (tag === 1 * 8 + wireVarint) functionId = message.readId()
      else if (tag === 2 * 8 + wireVarint) line = message.readInt()
      else message.skip(tag)
    }
    if (functionId === 0) message.fail('a location has a line without a function', start)
    this.lineFunctions.push(this.functionIds.intern(functionId))
    this.lineNumbers.push(toLine(line))
  }

  private readFunction(message: ProtobufCursor, start: number): void {
    let id: number | bigint = 0
    let name = 0
    let systemName = 0
    let file = 0
    let startLine = 0
    while (message.position < message.end) {
      const tag = message.readTag()
      if (tag === 1 * 8 + wireVarint) id = message.readId()
      else if (tag === 2 * 8 + wireVarint) name = message.readUint()
      else if (tag === 3 * 8 + wireVarint) systemName = message.readUint()
      else if (tag === 4 * 8 + wireVarint) file = message.readUint()
      else if (tag === 5 * 8 + wireVarint) startLine = message.readInt()
      else message.skip(tag)
    }
    if (id === 0) message.fail('a function has no id, or 0', start)
    const index = this.functionIds.intern(id)
    if (this.definedFunctions.values[index]) message.fail(`two functions have the id ${id}`, start)
    this.definedFunctions.set(index, 1)
    this.functionNames.set(index, toStringIndex(name))
    this.functionSystemNames.set(index, toStringIndex(systemName))
    this.functionFiles.set(index, toStringIndex(file))
    this.functionStartLines.set(index, toLine(startLine))
  }

  private readMapping(message: ProtobufCursor): void {
    let id: number | bigint = 0
    let file = 0
    while (message.position < message.end) {
      const tag = message.readTag()
      if (tag === 1 * 8 + wireVarint) id = message.readId()
      else if (tag === 5 * 8 + wireVarint) file = message.readUint()
      else message.skip(tag)
    }
    this.mappingFiles.set(this.mappingIds.intern(id), toStringIndex(file))
  }

  /** When all fields were read. */
  check(): void {
    if (this.strings.count === 0) throw new FormatError('the file has no string table', { format: 'pprof' })
    for (let index = 0; index < this.functionIds.count; index++) {
      if (this.definedFunctions.values[index] !== 1) {
        throw new FormatError('a location names a function that the file does not define', {
          format: 'pprof',
        })
      }
    }
  }
}

/** As it fits the column; one past the end of any table when it does not, so that its use is refused. */
function toStringIndex(index: number): number {
  return index <= limits.tableEntries ? index : limits.tableEntries
}
