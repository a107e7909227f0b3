import type { OtlpStrings } from './otlp-strings.ts'
import { bytesField, fixedField, readIndex, readMessage, varintField } from './otlp-fields.ts'
import type { ProtobufCursor } from './protobuf.ts'
import { decodeUtf8 } from './text.ts'

/** A string of its own, or the index of one in the dictionary. */
export type OtlpText = string | number

/** The value of an attribute as text; undefined for lists, maps and bytes, which no label can be. */
export type OtlpValue = OtlpText | undefined

/** Reads a `message AnyValue` at the cursor, its length first. */
export function readAnyValue(cursor: ProtobufCursor): OtlpValue {
  let value: OtlpValue
  readMessage(cursor, (tag) => {
    if (tag === bytesField(1)) value = readText(cursor)
    else if (tag === varintField(2)) value = cursor.readUint() === 0 ? 'false' : 'true'
    else if (tag === varintField(3)) value = String(cursor.readInt())
    else if (tag === fixedField(4)) value = String(readDouble(cursor))
    else if (tag === varintField(8)) value = readIndex(cursor)
    else cursor.skip(tag)
  })
  return value
}

/** Reads a `message KeyValue` at the cursor, its length first. */
export function readKeyValue(cursor: ProtobufCursor): { key: OtlpText; value: OtlpValue } {
  let key: OtlpText = ''
  let value: OtlpValue
  readMessage(cursor, (tag) => {
    if (tag === bytesField(1)) key = readText(cursor)
    else if (tag === bytesField(2)) value = readAnyValue(cursor)
    else if (tag === varintField(3)) key = readIndex(cursor)
    else cursor.skip(tag)
  })
  return { key, value }
}

export function textOf(text: OtlpText, strings: OtlpStrings): string {
  return typeof text === 'string' ? text : strings.get(text)
}

export function readText(cursor: ProtobufCursor): string {
  const end = cursor.readLength()
  const start = cursor.position
  cursor.position = end
  return decodeUtf8(cursor.bytes.subarray(start, end), { format: 'otlp', byteOffset: start })
}

function readDouble(cursor: ProtobufCursor): number {
  const start = cursor.position
  cursor.readFixed64()
  return new DataView(cursor.bytes.buffer, cursor.bytes.byteOffset + start, 8).getFloat64(0, true)
}
