import { parseWritten } from '@flamegate/loadtest/running'

/** Nested deeper than this, `JSON.parse` is left to say what it is. */
const depthMax = 200

/** Characters of a text with its quotes: more become a tree of texts. */
const shortMax = 12

const quote = 34
const backslash = 92
const comma = 44
const colon = 58
const minus = 45
const dot = 46
const zero = 48
const openBracket = 91
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

/** What is at a place: nothing that JSON knows, or where it ends. */
const none = -1

/** Names of members and numbers of elements, from the outside in. */
export type JsonKeys = readonly (Buffer | number)[]

// One scan is over before the next one begins, so that these need not be made for each.
let bytes: Buffer = Buffer.alloc(0)
let end = 0
let keys: JsonKeys = []
let foundAt = none
let foundEnd = none

/**
 * Finds one value in JSON without building all the others: its text where it is a text, otherwise its JSON, as
 * `parseWritten` and `JSON.stringify` give them. The whole of it is looked at, since what is wrong at its end is wrong, and since of
 * members with the same name the last one counts. Undefined where it is not there, where it is no JSON, and where that is not easy
 * to see: then `JSON.parse` has to say. scan-json.test.ts holds one against the other.
 */
export function scanJson(inBytes: Buffer, from: number, to: number, wanted: JsonKeys): string | undefined {
  bytes = inBytes
  end = to
  keys = wanted
  foundAt = none
  const after = skipValue(skipBlank(from), 0, 0)
  if (after === none || skipBlank(after) !== to || foundAt === none) return undefined
  return textAt(foundAt, foundEnd)
}

function textAt(from: number, to: number): string {
  const first = bytes[from] ?? 0
  if (first === quote) {
    // Most are short and plain.
    let isAscii = true
    for (let at = from + 1; at < to - 1; at++) {
      const byte = bytes[at] ?? 0
      if (byte === backslash) return String(JSON.parse(bytes.toString('utf8', from, to)))
      if (byte > 127) isAscii = false
    }
    if (isAscii && to - from <= shortMax) return shortText(from + 1, to - 1)
    return bytes.toString(isAscii ? 'latin1' : 'utf8', from + 1, to - 1)
  }
  const text = bytes.toString('utf8', from, to)
  if (first === openBrace || first === openBracket) return JSON.stringify(parseWritten(text))
  // Whole numbers with too many digits for a number are told with all of them.
  return /^(?:\d+|-\d{16,})$/.test(text) ? text : JSON.stringify(JSON.parse(text))
}

/** In a fraction of the time that a call of `toString` takes. */
function shortText(from: number, to: number): string {
  let text = ''
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at] ?? 0)
  return text
}

/** `depth` of `keys` lead to it; more than there are where it is beside the way. Gives where it ends. */
function skipValue(at: number, depth: number, nesting: number): number {
  const first = bytes[at] ?? 0
  const after =
    first === quote
      ? skipText(at)
      : first === openBrace
        ? skipObject(at, depth, nesting)
        : first === openBracket
          ? skipArray(at, depth, nesting)
          : first === minus || isDigit(first)
            ? skipNumber(at)
            : skipWord(at, first)
  if (depth === keys.length && after !== none) {
    foundAt = at
    foundEnd = after
  }
  return after
}

function skipObject(from: number, depth: number, nesting: number): number {
  if (nesting === depthMax) return none
  const key = depth < keys.length ? keys[depth] : undefined
  let at = skipBlank(from + 1)
  if (bytes[at] === closeBrace) return at + 1
  for (;;) {
    if (bytes[at] !== quote) return none
    const nameEnd = skipText(at)
    if (nameEnd === none) return none
    let inner = keys.length + 1
    if (key !== undefined) {
      const isWanted = typeof key !== 'number' && isName(at + 1, nameEnd - 1, key)
      if (isWanted) {
        inner = depth + 1
        // What an earlier one of this name held is no more.
        foundAt = none
      } else if (typeof key !== 'number' && hasEscape(at, nameEnd)) return none
    }
    at = skipBlank(nameEnd)
    if (bytes[at] !== colon) return none
    at = skipValue(skipBlank(at + 1), inner, nesting + 1)
    if (at === none) return none
    at = skipBlank(at)
    if (at >= end) return none
    if (bytes[at] === closeBrace) return at + 1
    if (bytes[at] !== comma) return none
    at = skipBlank(at + 1)
  }
}

function skipArray(from: number, depth: number, nesting: number): number {
  if (nesting === depthMax) return none
  const key = depth < keys.length ? keys[depth] : undefined
  let at = skipBlank(from + 1)
  if (bytes[at] === closeBracket) return at + 1
  for (let index = 0; ; index++) {
    at = skipValue(at, key === index ? depth + 1 : keys.length + 1, nesting + 1)
    if (at === none) return none
    at = skipBlank(at)
    if (at >= end) return none
    if (bytes[at] === closeBracket) return at + 1
    if (bytes[at] !== comma) return none
    at = skipBlank(at + 1)
  }
}

function skipText(from: number): number {
  for (let at = from + 1; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte === quote) return at + 1
    if (byte < 32) return none
    if (byte === backslash) {
      at = skipEscape(at + 1)
      if (at === none) return none
    }
  }
  return none
}

/** Gives its last byte. */
function skipEscape(at: number): number {
  const byte = bytes[at] ?? 0
  if (byte !== 117) return escaped[byte] === 1 ? at : none
  for (let place = at + 1; place <= at + 4; place++) if (!isHexDigit(bytes[place] ?? 0)) return none
  return at + 4
}

function skipNumber(from: number): number {
  let at = bytes[from] === minus ? from + 1 : from
  if (bytes[at] === zero) at++
  else if ((at = skipDigits(at)) === none) return none
  if (at < end && bytes[at] === dot && (at = skipDigits(at + 1)) === none) return none
  if (at < end && ((bytes[at] ?? 0) | 32) === 101) {
    at++
    if (bytes[at] === minus || bytes[at] === 43) at++
    at = skipDigits(at)
  }
  return at
}

/** One at least. */
function skipDigits(from: number): number {
  let at = from
  while (at < end && isDigit(bytes[at] ?? 0)) at++
  return at === from ? none : at
}

function skipWord(at: number, first: number): number {
  const word = first === 116 ? 'true' : first === 102 ? 'false' : 'null'
  for (let index = 0; index < word.length; index++)
    if (bytes[at + index] !== word.charCodeAt(index)) return none
  return at + word.length
}

function skipBlank(from: number): number {
  let at = from
  while (at < end) {
    const byte = bytes[at] ?? 0
    if (byte > 32 || (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9)) break
    at++
  }
  return at
}

function isName(from: number, to: number, name: Buffer): boolean {
  if (to - from !== name.length) return false
  for (let index = 0; index < name.length; index++) if (bytes[from + index] !== name[index]) return false
  return true
}

function hasEscape(from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === backslash) return true
  return false
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= 57
}

function isHexDigit(byte: number): boolean {
  const lower = byte | 32
  return isDigit(byte) || (lower >= 97 && lower <= 102)
}

const escaped = new Uint8Array(256)
for (const character of '"\\/bfnrt') escaped[character.charCodeAt(0)] = 1
