import { Problem } from '@flamegate/contract'

const fieldsMax = 20_000

/** The fields of a message that are messages, strings or bytes, one after the other; numbers are stepped over. */
export function* lengthDelimited(message: Uint8Array): Generator<{ field: number; content: Uint8Array }> {
  let position = 0
  let count = 0
  const varint = () => {
    let value = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = message[position++]
      if (byte === undefined) throw cutOff()
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
    throw cutOff()
  }
  while (position < message.length) {
    if (++count > fieldsMax) throw new Problem('too_large', `A message has more than ${fieldsMax} fields.`)
    const tag = varint()
    const wireType = tag % 8
    if (wireType === 0) varint()
    else if (wireType === 1 || wireType === 5) position += wireType === 1 ? 8 : 4
    else if (wireType === 2) {
      const length = varint()
      const content = message.subarray(position, position + length)
      if (content.length < length) throw cutOff()
      position += length
      yield { field: Math.floor(tag / 8), content }
    } else throw cutOff()
  }
  if (position > message.length) throw cutOff()
}

/** A field that is a message, a string or bytes. */
export function lengthDelimitedField(field: number, content: Uint8Array): Buffer {
  return Buffer.concat([varintBytes(field * 8 + 2), varintBytes(content.length), content])
}

export function varintField(field: number, value: number): Buffer {
  return Buffer.concat([varintBytes(field * 8), varintBytes(value)])
}

function varintBytes(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}

function cutOff(): Problem {
  return new Problem('malformed_request', 'The body is no message of protocol buffers, or is cut off.')
}
