import { FormatError } from '../format-error.ts'
import type { ProfileFormat } from '../profile.ts'

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** UTF-8 text, a byte order mark included; FormatError names the first byte that is not UTF-8. */
export function decodeUtf8(
  bytes: Uint8Array,
  about: { format?: ProfileFormat; byteOffset?: number },
): string {
  try {
    return strictUtf8.decode(bytes)
  } catch (cause) {
    const where = `byte ${(about.byteOffset ?? 0) + firstInvalidByte(bytes)}`
    throw new FormatError('the text is not valid UTF-8', { format: about.format, where, cause })
  }
}

/** Binary search: a prefix is valid as long as it does not hold the bad byte (a cut character is not bad). */
function firstInvalidByte(bytes: Uint8Array): number {
  let valid = 0
  let invalid = bytes.length
  while (valid < invalid) {
    const middle = (valid + invalid + 1) >>> 1
    if (isValidPrefix(bytes.subarray(0, middle))) valid = middle
    else invalid = middle - 1
  }
  return valid
}

function isValidPrefix(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** A name of the file as an error message may show it. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text)
}
