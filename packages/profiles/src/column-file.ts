import { deflateSync, inflateSync } from 'node:zlib'
import { FormatError } from './format-error.ts'
import { JsonReader, type JsonObject } from './formats/json.ts'
import { decodeUtf8 } from './formats/text.ts'

/**
 * Columns of numbers with a head that tells what they are. All numbers are little-endian.
 *
 *     4 letters  version u8  0 0 0  length of the body u32 | zlib stream of the body
 *     body: length of the head u32, head (JSON), then columns, each on a multiple of 8 bytes
 *
 * Values that are multiples of one number, which samples mostly are, are stored as u32 with that scale; others as f64 with
 * scale 0.
 */
const version = 1
const prefixLength = 12
const longestBody = 1024 * 1024 * 1024

export type Column = Uint8Array | Int32Array | Uint32Array | Float64Array

/** `magic`: the four letters that say what it is. */
export function writeColumnFile(magic: string, head: object, columns: readonly Column[]): Uint8Array {
  const headBytes = new TextEncoder().encode(JSON.stringify(head))
  const headEnd = 4 + headBytes.length
  const bodyLength = columns.reduce((end, column) => aligned(end) + column.byteLength, headEnd)
  const body = new Uint8Array(bodyLength)
  new DataView(body.buffer).setUint32(0, headBytes.length, true)
  body.set(headBytes, 4)
  let end = headEnd
  for (const column of columns) {
    const start = aligned(end)
    body.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), start)
    end = start + column.byteLength
  }

  const compressed = deflateSync(body, { level: 6 })
  const stored = new Uint8Array(prefixLength + compressed.length)
  stored.set(new TextEncoder().encode(magic))
  stored[4] = version
  new DataView(stored.buffer).setUint32(8, bodyLength, true)
  stored.set(compressed, prefixLength)
  return stored
}

/** Throws FormatError when the bytes are something else, or damaged. */
export function readColumnFile(
  magic: string,
  bytes: Uint8Array,
): { json: JsonReader; head: JsonObject; columns: ColumnReader } {
  const body = inflateBody(magic, bytes)
  const json = new JsonReader()
  const headLength =
    body.length >= 4 ? new DataView(body.buffer, body.byteOffset).getUint32(0, true) : Infinity
  if (4 + headLength > body.length) throw damaged('its head is cut off')
  const head = json.object(parseHead(body.subarray(4, 4 + headLength)), '$')
  return { json, head, columns: new ColumnReader(body, 4 + headLength) }
}

function inflateBody(magic: string, bytes: Uint8Array): Uint8Array {
  if (bytes.length < prefixLength || new TextDecoder('latin1').decode(bytes.subarray(0, 4)) !== magic) {
    throw damaged(`it does not begin with ${magic}`)
  }
  if (bytes[4] !== version) throw damaged(`it has version ${bytes[4]}, not ${version}`)
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true)
  if (length > longestBody) throw damaged('its length is too large')
  let body: Uint8Array
  try {
    body = inflateSync(bytes.subarray(prefixLength), { maxOutputLength: length + 1, chunkSize: length + 64 })
  } catch (cause) {
    throw damaged('it cannot be inflated', cause)
  }
  if (body.length !== length) throw damaged(`it has ${body.length} bytes, not ${length}`)
  // Columns are read in place, so the body has to begin where a double may.
  return body.byteOffset % 8 === 0 ? body : body.slice()
}

function parseHead(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes, {}))
  } catch (cause) {
    throw damaged('its head is not JSON', cause)
  }
}

/** Reads columns in the order in which they were written, in place. */
export class ColumnReader {
  private readonly body: Uint8Array
  private position: number

  constructor(body: Uint8Array, position: number) {
    this.body = body
    this.position = position
  }

  int32(length: number): Int32Array {
    return new Int32Array(this.body.buffer, this.take(length * 4), length)
  }

  uint32(length: number): Uint32Array {
    return new Uint32Array(this.body.buffer, this.take(length * 4), length)
  }

  bytes(length: number): Uint8Array {
    return new Uint8Array(this.body.buffer, this.take(length), length)
  }

  values(length: number, scale: number): Float64Array {
    if (scale === 0) return new Float64Array(this.body.buffer, this.take(length * 8), length)
    const stored = new Uint32Array(this.body.buffer, this.take(length * 4), length)
    const values = new Float64Array(length)
    for (let index = 0; index < length; index++) values[index] = stored[index]! * scale
    return values
  }

  finish(): void {
    if (this.position !== this.body.length) throw damaged('it has bytes left over')
  }

  /** Where in the buffer the next column starts. */
  private take(byteLength: number): number {
    const start = aligned(this.position)
    this.position = start + byteLength
    if (this.position > this.body.length) throw damaged('a column is cut off')
    return this.body.byteOffset + start
  }
}

/** The largest number that all values are multiples of, so that the quotients fit u32; 0 when there is none. */
export function commonScale(values: Float64Array): number {
  let scale = 0
  let largest = 0
  for (const value of values) {
    if (!Number.isSafeInteger(value) || value < 0 || Object.is(value, -0)) return 0
    if (value === 0) continue
    largest = Math.max(largest, value)
    scale = greatestCommonDivisor(value, scale)
  }
  return largest / (scale || 1) < 2 ** 32 ? scale || 1 : 0
}

function greatestCommonDivisor(a: number, b: number): number {
  let [larger, smaller] = [a, b]
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller]
  return larger
}

export function scaledDown(values: Float64Array, scale: number): Float64Array | Uint32Array {
  return scale === 0 ? values : Uint32Array.from(values, (value) => value / scale)
}

function aligned(position: number): number {
  return Math.ceil(position / 8) * 8
}

export function damaged(what: string, cause?: unknown): FormatError {
  return new FormatError(`the stored profile is damaged: ${what}`, { cause })
}
