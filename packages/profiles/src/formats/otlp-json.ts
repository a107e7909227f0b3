import { ByteWriter } from '../exports/byte-writer.ts'
import { JsonReader, type JsonObject } from './json.ts'
import { wireBytes, wireFixed64, wireVarint } from './protobuf.ts'

type Scalar = 'string' | 'hex' | 'int' | 'bool' | 'double' | 'fixed64'

interface Field {
  number: number
  /** What it holds, or the name of the message that it is. */
  kind: Scalar | { message: string }
  isRepeated?: true
}

type Fields = Readonly<Record<string, Field>>

const one = (number: number, kind: Field['kind']): Field => ({ number, kind })
const many = (number: number, kind: Field['kind']): Field => ({ number, kind, isRepeated: true })

/** Messages with the names that their fields have in JSON; those that are not read here are left out. */
const messages: Readonly<Record<string, Fields>> = {
  data: {
    resourceProfiles: many(1, { message: 'resourceProfiles' }),
    dictionary: one(2, { message: 'dictionary' }),
  },
  resourceProfiles: {
    resource: one(1, { message: 'resource' }),
    scopeProfiles: many(2, { message: 'scopeProfiles' }),
  },
  resource: { attributes: many(1, { message: 'keyValue' }) },
  keyValue: { key: one(1, 'string'), value: one(2, { message: 'anyValue' }), keyStrindex: one(3, 'int') },
  anyValue: {
    stringValue: one(1, 'string'),
    boolValue: one(2, 'bool'),
    intValue: one(3, 'int'),
    doubleValue: one(4, 'double'),
    stringValueStrindex: one(8, 'int'),
  },
  scopeProfiles: { profiles: many(2, { message: 'profile' }) },
  profile: {
    sampleType: one(1, { message: 'valueType' }),
    samples: many(2, { message: 'sample' }),
    timeUnixNano: one(3, 'fixed64'),
    durationNano: one(4, 'int'),
    droppedAttributesCount: one(8, 'int'),
    originalPayloadFormat: one(9, 'string'),
  },
  valueType: { typeStrindex: one(1, 'int'), unitStrindex: one(2, 'int') },
  sample: {
    stackIndex: one(1, 'int'),
    attributeIndices: many(2, 'int'),
    linkIndex: one(3, 'int'),
    values: many(4, 'int'),
    timestampsUnixNano: many(5, 'fixed64'),
  },
  dictionary: {
    mappingTable: many(1, { message: 'mapping' }),
    locationTable: many(2, { message: 'location' }),
    functionTable: many(3, { message: 'function' }),
    linkTable: many(4, { message: 'link' }),
    stringTable: many(5, 'string'),
    attributeTable: many(6, { message: 'keyValueAndUnit' }),
    stackTable: many(7, { message: 'stack' }),
  },
  mapping: { filenameStrindex: one(4, 'int') },
  location: {
    mappingIndex: one(1, 'int'),
    lines: many(3, { message: 'line' }),
    attributeIndices: many(4, 'int'),
  },
  line: { functionIndex: one(1, 'int'), line: one(2, 'int') },
  function: {
    nameStrindex: one(1, 'int'),
    systemNameStrindex: one(2, 'int'),
    filenameStrindex: one(3, 'int'),
    startLine: one(4, 'int'),
  },
  link: { traceId: one(1, 'hex'), spanId: one(2, 'hex') },
  keyValueAndUnit: {
    keyStrindex: one(1, 'int'),
    value: one(2, { message: 'anyValue' }),
    unitStrindex: one(3, 'int'),
  },
  stack: { locationIndices: many(1, 'int') },
}

const json = new JsonReader('otlp')

/**
 * OTLP's JSON as protocol buffers, so that one reader does for both. Names are in lower camel case, 64-bit numbers may be
 * strings, and ids of traces and spans are hexadecimal: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function encodeOtlpJson(document: JsonObject): Uint8Array {
  return new OtlpEncoder().encode(document, 'data', '$', 0)
}

class OtlpEncoder {
  /** One per depth of messages, used again and again. */
  private readonly writers: ByteWriter[] = []
  private readonly eight = new DataView(new ArrayBuffer(8))

  /** What it gives is overwritten by the next message of the same depth. */
  encode(value: unknown, name: string, path: string, depth: number): Uint8Array {
    const object = json.object(value, path)
    const writer = (this.writers[depth] ??= new ByteWriter())
    writer.clear()
    for (const [key, field] of Object.entries(messages[name]!)) {
      const member = object[key]
      if (member === undefined || member === null) continue
      if (field.isRepeated) {
        for (const [index, item] of json.array(member, `${path}.${key}`).entries())
          this.write(writer, field, item, `${path}.${key}[${index}]`, depth)
      } else this.write(writer, field, member, `${path}.${key}`, depth)
    }
    return writer.finish()
  }

  private write(writer: ByteWriter, { number, kind }: Field, value: unknown, path: string, depth: number) {
    if (typeof kind === 'object') {
      writeBytes(writer, number, this.encode(value, kind.message, path, depth + 1))
    } else if (kind === 'string') {
      writeBytes(writer, number, Buffer.from(json.string(value, path)))
    } else if (kind === 'hex') {
      writeBytes(writer, number, Buffer.from(json.string(value, path), 'hex'))
    } else if (kind === 'int') {
      writer.varint(number * 8 + wireVarint).varint(wholeNumber(value, path))
    } else if (kind === 'bool') {
      writer.varint(number * 8 + wireVarint).varint(value === true ? 1 : 0)
    } else {
      if (kind === 'double') this.eight.setFloat64(0, json.number(value, path), true)
      else this.eight.setBigUint64(0, nanoseconds(value, path), true)
      writer.varint(number * 8 + wireFixed64).append(new Uint8Array(this.eight.buffer))
    }
  }
}

function writeBytes(writer: ByteWriter, number: number, bytes: Uint8Array): void {
  writer
    .varint(number * 8 + wireBytes)
    .varint(bytes.length)
    .append(bytes)
}

function wholeNumber(value: unknown, path: string): number {
  const number: unknown = typeof value === 'string' && /^-?\d{1,19}$/.test(value) ? Number(value) : value
  const isWhole = typeof number === 'number' && Number.isInteger(number) && Math.abs(number) <= 2 ** 63
  return isWhole ? number : json.fail('expected a whole number', path)
}

function nanoseconds(value: unknown, path: string): bigint {
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) return BigInt.asUintN(64, BigInt(value))
  const number = wholeNumber(value, path)
  return number < 0 ? json.fail('expected a time', path) : BigInt(number)
}
