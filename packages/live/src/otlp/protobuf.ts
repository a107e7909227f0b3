/** What is no message of OTLP. */
export class OtlpError extends Error {}

type Scalar =
  | 'string'
  | 'bool'
  | 'double'
  | 'fixed64'
  | 'sfixed64'
  /** Nanoseconds since 1970 as a text, as JSON has them: a number would not hold them. */
  | 'time'
  | 'varint'
  | 'zigzag'
  /** Bytes as hexadecimal digits, as ids are written in OTLP/JSON. */
  | 'hex'
export type Field =
  | { name: string; type: Scalar }
  | { name: string; type: 'double' | 'fixed64' | 'varint'; isList: true }
  | { name: string; type: Message; isList?: true }
/** The fields that are read, by number, with their names in OTLP/JSON. */
export type Message = () => Readonly<Record<number, Field>>

const texts = new TextDecoder()

/** Messages within a message: an empty one takes two bytes as it is sent, and far more as it is read. */
const messagesMax = 1_000_000

/** A message as OTLP/JSON has it: https://protobuf.dev/programming-guides/encoding/ @throws OtlpError */
export function decodeProtobuf(bytes: Uint8Array, message: Message): object {
  return readMessage(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), message, { messages: 0 })
}

function readMessage(view: DataView, message: Message, read: { messages: number }): object {
  if (++read.messages > messagesMax) throw new OtlpError(`There are more than ${messagesMax} messages in it.`)
  const fields = message()
  const found: Record<string, unknown> = {}
  let position = 0
  while (position < view.byteLength) {
    const tag = varint()
    const field = fields[Number(tag >> 3n)]
    const value = valueOf(Number(tag & 7n), field)
    if (field === undefined || value === undefined) continue
    if ('isList' in field) {
      const list = (found[field.name] ??= [])
      if (Array.isArray(list)) for (const each of Array.isArray(value) ? value : [value]) list.push(each)
    } else found[field.name] = value
  }
  return found

  function varint(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = view.getUint8(take(1))
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return BigInt.asUintN(64, value)
    }
    throw new OtlpError('A number is too long.')
  }

  function take(count: number): number {
    const start = position
    position += count
    if (position > view.byteLength) throw new OtlpError('The message is cut off.')
    return start
  }

  function valueOf(wireType: number, field: Field | undefined): unknown {
    switch (wireType) {
      case 0:
        return wholeNumber(varint(), field)
      case 1:
        return eightBytes(view, take(8), field)
      case 2: {
        const length = Number(varint())
        const part = new DataView(view.buffer, view.byteOffset + take(length), length)
        return field === undefined ? undefined : contentOf(part, field)
      }
      case 5:
        take(4)
        return undefined
      default:
        throw new OtlpError('There is no such type of field.')
    }
  }

  function contentOf(part: DataView, field: Field): unknown {
    if (typeof field.type === 'function') return readMessage(part, field.type, read)
    if (field.type === 'string') return texts.decode(part)
    if (field.type === 'hex')
      return Array.from({ length: part.byteLength }, (_, index) =>
        part.getUint8(index).toString(16).padStart(2, '0'),
      ).join('')
    return 'isList' in field ? packedNumbers(part, field) : undefined
  }
}

function wholeNumber(value: bigint, field: Field | undefined): number | boolean {
  if (field?.type === 'bool') return value !== 0n
  return Number(field?.type === 'zigzag' ? (value >> 1n) ^ -(value & 1n) : BigInt.asIntN(64, value))
}

function eightBytes(view: DataView, start: number, field: Field | undefined): number | string {
  if (field?.type === 'double') return view.getFloat64(start, true)
  if (field?.type === 'time') return view.getBigUint64(start, true).toString()
  return Number(field?.type === 'sfixed64' ? view.getBigInt64(start, true) : view.getBigUint64(start, true))
}

/** Numbers of a list stand one after the other, without their field. */
function packedNumbers(part: DataView, field: Field): (number | string | boolean)[] {
  if (field.type !== 'varint') {
    if (part.byteLength % 8 !== 0) throw new OtlpError('A list of numbers is cut off.')
    return Array.from({ length: part.byteLength / 8 }, (_, index) => eightBytes(part, index * 8, field))
  }
  const numbers: (number | boolean)[] = []
  let value = 0n
  let shift = 0n
  for (let position = 0; position < part.byteLength; position++) {
    const byte = part.getUint8(position)
    value |= BigInt(byte & 127) << shift
    shift += 7n
    if (shift > 70n) throw new OtlpError('A number is too long.')
    if (byte > 127) continue
    numbers.push(wholeNumber(BigInt.asUintN(64, value), field))
    value = 0n
    shift = 0n
  }
  if (shift > 0n) throw new OtlpError('A list of numbers is cut off.')
  return numbers
}
