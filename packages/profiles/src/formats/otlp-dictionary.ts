import { FormatError } from '../format-error.ts'
import { readAnyValue, type OtlpValue } from './otlp-attributes.ts'
import { bytesField, readIndex, readMessage, readRepeated, skipMessage, varintField } from './otlp-fields.ts'
import { OtlpStrings } from './otlp-strings.ts'
import { Int32Column } from './pprof-columns.ts'
import { ProtobufCursor } from './protobuf.ts'

const column = () => new Int32Column('otlp')
const emptyAttribute: OtlpAttribute = { key: 0, value: undefined, unit: 0 }

interface OtlpAttribute {
  key: number
  value: OtlpValue
  unit: number
}

/**
 * `message ProfilesDictionary` as columns. Entry 0 of each table stands for nothing. Lists within entries are rows of one
 * column each, with the end of each list.
 */
export class OtlpDictionary {
  readonly strings: OtlpStrings
  readonly mappingFiles = column()
  readonly locationMappings = column()
  readonly locationLineEnds = column()
  readonly lineFunctions = column()
  readonly lineNumbers = column()
  readonly locationAttributeEnds = column()
  readonly locationAttributes = column()
  readonly functionNames = column()
  readonly functionSystemNames = column()
  readonly functionFiles = column()
  readonly functionStartLines = column()
  readonly stackEnds = column()
  readonly stackLocations = column()
  /** Where each `message Link` is. */
  private readonly linkStarts = column()
  private readonly linkEnds = column()
  private readonly attributes: OtlpAttribute[] = []
  private readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.strings = new OtlpStrings(bytes)
  }

  /** Reads a `message ProfilesDictionary`; of several, each goes on where the one before ended. */
  read({ start, end }: { start: number; end: number }): void {
    const cursor = new ProtobufCursor(this.bytes, 'otlp', start, end)
    while (cursor.position < end) {
      const tag = cursor.readTag()
      if (tag === bytesField(1)) this.readMapping(cursor)
      else if (tag === bytesField(2)) this.readLocation(cursor)
      else if (tag === bytesField(3)) this.readFunction(cursor)
      else if (tag === bytesField(4)) this.readLink(cursor)
      else if (tag === bytesField(5)) this.strings.add(skipMessage(cursor))
      else if (tag === bytesField(6)) this.readAttribute(cursor)
      else if (tag === bytesField(7)) this.readStack(cursor)
      else cursor.skip(tag)
    }
  }

  attribute(index: number): OtlpAttribute {
    if (index === 0) return emptyAttribute
    return this.attributes[index] ?? noSuch('attribute', index, this.attributes.length)
  }

  /** Trace and span in hexadecimal; empty where the link has none. */
  link(index: number): { traceId: string; spanId: string } {
    if (index >= this.linkStarts.length) noSuch('link', index, this.linkStarts.length)
    const end = this.linkEnds.values[index]!
    const cursor = new ProtobufCursor(this.bytes, 'otlp', this.linkStarts.values[index], end)
    const link = { traceId: '', spanId: '' }
    while (cursor.position < end) {
      const tag = cursor.readTag()
      if (tag === bytesField(1)) link.traceId = this.hexOf(skipMessage(cursor))
      else if (tag === bytesField(2)) link.spanId = this.hexOf(skipMessage(cursor))
      else cursor.skip(tag)
    }
    return link
  }

  private hexOf({ start, end }: { start: number; end: number }): string {
    const id = this.bytes.subarray(start, Math.min(end, start + 16))
    return id.every((byte) => byte === 0) ? '' : Buffer.from(id).toString('hex')
  }

  private readMapping(cursor: ProtobufCursor): void {
    let file = 0
    readMessage(cursor, (tag) => {
      if (tag === varintField(4)) file = readIndex(cursor)
      else cursor.skip(tag)
    })
    this.mappingFiles.push(file)
  }

  private readLocation(cursor: ProtobufCursor): void {
    let mapping = 0
    readMessage(cursor, (tag) => {
      if (tag === varintField(1)) mapping = readIndex(cursor)
      else if (tag === bytesField(3)) this.readLine(cursor)
      else if (tag === varintField(4) || tag === bytesField(4))
        readRepeated(cursor, tag, () => this.locationAttributes.push(readIndex(cursor)))
      else cursor.skip(tag)
    })
    this.locationMappings.push(mapping)
    this.locationLineEnds.push(this.lineFunctions.length)
    this.locationAttributeEnds.push(this.locationAttributes.length)
  }

  private readLine(cursor: ProtobufCursor): void {
    let functionIndex = 0
    let line = 0
    readMessage(cursor, (tag) => {
      if (tag === varintField(1)) functionIndex = readIndex(cursor)
      else if (tag === varintField(2)) line = cursor.readInt()
      else cursor.skip(tag)
    })
    this.lineFunctions.push(functionIndex)
    this.lineNumbers.push(lineNumber(line))
  }

  private readFunction(cursor: ProtobufCursor): void {
    let name = 0
    let systemName = 0
    let file = 0
    let startLine = 0
    readMessage(cursor, (tag) => {
      if (tag === varintField(1)) name = readIndex(cursor)
      else if (tag === varintField(2)) systemName = readIndex(cursor)
      else if (tag === varintField(3)) file = readIndex(cursor)
      else if (tag === varintField(4)) startLine = cursor.readInt()
      else cursor.skip(tag)
    })
    this.functionNames.push(name)
    this.functionSystemNames.push(systemName)
    this.functionFiles.push(file)
    this.functionStartLines.push(lineNumber(startLine))
  }

  private readLink(cursor: ProtobufCursor): void {
    const { start, end } = skipMessage(cursor)
    this.linkStarts.push(start)
    this.linkEnds.push(end)
  }

  private readAttribute(cursor: ProtobufCursor): void {
    const attribute = { ...emptyAttribute }
    readMessage(cursor, (tag) => {
      if (tag === varintField(1)) attribute.key = readIndex(cursor)
      else if (tag === bytesField(2)) attribute.value = readAnyValue(cursor)
      else if (tag === varintField(3)) attribute.unit = readIndex(cursor)
      else cursor.skip(tag)
    })
    if (this.attributes.length >= attributesMax) {
      throw new FormatError(`a table has more than ${attributesMax} attributes`, { format: 'otlp' })
    }
    this.attributes.push(attribute)
  }

  private readStack(cursor: ProtobufCursor): void {
    readMessage(cursor, (tag) => {
      if (tag === varintField(1) || tag === bytesField(1))
        readRepeated(cursor, tag, () => this.stackLocations.push(readIndex(cursor)))
      else cursor.skip(tag)
    })
    this.stackEnds.push(this.stackLocations.length)
  }
}

/** Attributes are objects, so there may be fewer of them than rows of columns. */
const attributesMax = 1_000_000

function lineNumber(line: number): number {
  return line > 0 && line < 2 ** 31 ? line : 0
}

export function noSuch(what: string, index: number, count: number): never {
  throw new FormatError(`there is no ${what} ${index}, only ${count}`, { format: 'otlp' })
}
