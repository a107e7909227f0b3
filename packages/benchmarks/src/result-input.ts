import { decodeText, isUtf16 } from './decode-text.ts'
import type { JsonValue } from './json-value.ts'
import { parseJson } from './parse-json.ts'
import { isZstd } from './zstd.ts'

/** Files by their path within the archive they came in, with `/` between folders. */
export type ResultFiles = ReadonlyMap<string, Uint8Array>

/** An upload in the one form that its content has. */
export type ResultInput =
  | { form: 'json'; content: JsonValue }
  | { form: 'text'; content: string }
  | { form: 'bytes'; content: Uint8Array }
  | { form: 'folder'; content: ResultFiles }

/** @throws {FormatError} for what is empty, or begins like JSON and does not parse. */
export function inputOf(bytes: Uint8Array): ResultInput {
  if (isBinary(bytes)) return { form: 'bytes', content: bytes }
  const text = decodeText(bytes)
  return isJson(text) ? { form: 'json', content: parseJson(text) } : { form: 'text', content: text }
}

/**
 * No text has a zero in it, but for UTF-16; and no UTF-8 begins with the second byte of a
 * character, as a map of msgpack does.
 */
function isBinary(bytes: Uint8Array): boolean {
  const [first = 0] = bytes
  const isWithinCharacter = first >= 0x80 && first < 0xc0
  return isWithinCharacter || isZstd(bytes) || (bytes.subarray(0, 4096).includes(0) && !isUtf16(bytes))
}

/** As a log begins with `[ 50.00%] ·`, `[1/2] Building` or `[INFO] `: behind the last bracket of JSON nothing follows. */
const WORD_IN_BRACKETS = /^\s*\[[^[\]{"\n]*\][ \t]*\S/

/** One document; of JSON Lines the first line is one by itself, and they are text, as is a log. */
function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text) || WORD_IN_BRACKETS.test(text)) return false
  const [first = '', second = ''] = text.trimStart().split(/\r?\n/, 2)
  return second.trim() === '' || !parses(first)
}

function parses(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
