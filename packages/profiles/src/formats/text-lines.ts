import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import type { ProfileFormat } from '../profile.ts'
import { decodeUtf8 } from './text.ts'

const blockBytes = 4 * 1024 * 1024
const newline = 0x0a

/** The lines of a text without their `\n`: UTF-8 or, after a byte order mark, UTF-16LE. FormatError when it is neither. */
export function* textLines(bytes: Uint8Array, format: ProfileFormat): Generator<string> {
  for (const text of textBlocks(bytes, format)) {
    for (let start = 0; start < text.length;) {
      const newlineAt = text.indexOf('\n', start)
      const end = newlineAt === -1 ? text.length : newlineAt
      yield text.slice(start, end)
      start = end + 1
    }
  }
}

/** The text in pieces that end where a line ends: one string could be longer than a string may be. */
function* textBlocks(bytes: Uint8Array, format: ProfileFormat): Generator<string> {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    yield decodeUtf16(bytes.subarray(2), format)
    return
  }
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  for (let start = hasBom ? 3 : 0; start < bytes.length;) {
    const newlineAt = bytes.indexOf(newline, Math.min(start + blockBytes, bytes.length))
    const end = newlineAt === -1 ? bytes.length : newlineAt + 1
    if (end - start > blockBytes + limits.lineBytes) {
      const message = `a line is longer than ${limits.lineBytes} bytes`
      throw new FormatError(message, { format, where: `byte ${start}` })
    }
    yield decodeUtf8(bytes.subarray(start, end), { format, byteOffset: start })
    start = end
  }
}

function decodeUtf16(bytes: Uint8Array, format: ProfileFormat): string {
  try {
    return new TextDecoder('utf-16le', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new FormatError('the text is not valid UTF-16', { format, cause })
  }
}
