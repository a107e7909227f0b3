import { FormatError } from './format-error.ts'

const SIZE_BYTES_MAX = 64 * 1024 * 1024

/** UTF-8 bytes to text, without a byte order mark. Refuses what is empty, too large or not UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes.byteLength > SIZE_BYTES_MAX) {
    throw new FormatError(`The file has ${bytes.byteLength} bytes; at most ${SIZE_BYTES_MAX} are read`)
  }
  if (isUtf16(bytes)) {
    throw new FormatError('The file is UTF-16; write it as UTF-8', 1)
  }
  const text = decodeUtf8(bytes)
  if (text.trim() === '') throw new FormatError('The file is empty')
  return text
}

/** By its byte order mark. */
export function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const lenient = new TextDecoder('utf-8').decode(bytes)
    const line = lenient.slice(0, lenient.indexOf('\uFFFD')).split('\n').length
    throw new FormatError('The file is not UTF-8 text', line)
  }
}
