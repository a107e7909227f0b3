const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

const spaceOrComma = new Set([0x20, 0x09, 0x0a, 0x0d, 0x2c])

/**
 * The bytes of a trace up to the end of its last whole event, and what closes it; undefined when there is none. `isCut` when
 * more follows than white space: the closing bracket may be missing.
 *
 *     [{…},{…},{"name":"a     becomes     [{…},{…}]
 *     {"traceEvents":[{…},    becomes     {"traceEvents":[{…}]}
 */
export function withoutCutEnd(bytes: Uint8Array): { bytes: Uint8Array; isCut: boolean } | undefined {
  const closers: number[] = []
  let depth = 0
  let eventDepth = 0
  let end = 0
  let endsInObject = false
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!
    if (byte === quote) index = stringEnd(bytes, index)
    else if (byte === openBrace || byte === openBracket) {
      if (depth === 0) eventDepth = byte === openBracket ? 1 : 2
      if (depth < 2) closers[depth] = byte === openBracket ? closeBracket : closeBrace
      depth++
    } else if (byte === closeBrace || byte === closeBracket) {
      depth--
      if (depth < 1) break
      if (depth !== eventDepth || byte !== closeBrace) continue
      end = index + 1
      endsInObject = closers[depth - 1] === closeBrace
    }
  }
  if (end === 0) return undefined
  closers.length = eventDepth
  if (eventDepth === 2) closers[1] = endsInObject ? closeBrace : closeBracket
  return {
    bytes: Buffer.concat([bytes.subarray(0, end), Uint8Array.from(closers.toReversed())]),
    isCut: bytes.subarray(end).some((byte) => !spaceOrComma.has(byte)),
  }
}

/** Of the quote that closes the string which opens there, or after the end of the bytes. */
function stringEnd(bytes: Uint8Array, start: number): number {
  let index = start + 1
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1
  return index
}
