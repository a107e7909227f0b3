// Bytes of callgrind's format, whose lines are read without making strings of them.

export const tab = 0x09
export const newline = 0x0a
export const carriageReturn = 0x0d
export const space = 0x20
export const hash = 0x23
export const openParenthesis = 0x28
export const closeParenthesis = 0x29
export const asterisk = 0x2a
export const plus = 0x2b
export const minus = 0x2d
/** `0` */
export const zero = 0x30
export const colon = 0x3a
export const equals = 0x3d
export const question = 0x3f
export const letterX = 0x78

/** What comes before the `=` of a line, as a number that is made of its letters by `withLetter`. */
export const keys = {
  function: keyOf('fn'),
  file: keyOf('fl'),
  inlinedFile: keyOf('fi'),
  ownFile: keyOf('fe'),
  object: keyOf('ob'),
  calledFunction: keyOf('cfn'),
  calledFile: keyOf('cfi'),
  calledFileOnce: keyOf('cfl'),
  calledObject: keyOf('cob'),
  calls: keyOf('calls'),
  jump: keyOf('jump'),
  conditionalJump: keyOf('jcnd'),
  jumpFile: keyOf('jfi'),
  jumpFunction: keyOf('jfn'),
}
/** Letters of a key. Words before a `:` may be longer. */
export const longestKey = 5

function keyOf(letters: string): number {
  let key = 0
  for (let index = 0; index < letters.length; index++) key = withLetter(key, letters.charCodeAt(index))
  return key
}

/** The number of a key with one more letter, from 0 for none. */
export function withLetter(key: number, letter: number): number {
  return (key << 6) | (letter & 0x3f)
}

/** So that a line ends before the file does, wherever it is read. */
export function withNewlineAtEnd(bytes: Uint8Array): Uint8Array {
  if (bytes[bytes.length - 1] === newline) return bytes
  const longer = new Uint8Array(bytes.length + 1)
  longer.set(bytes)
  longer[bytes.length] = newline
  return longer
}

export function beginsCosts(byte: number): boolean {
  return byte <= zero + 9 && (byte >= zero || byte === plus || byte === minus || byte === asterisk)
}

export function isWordEnd(byte: number): boolean {
  return byte <= space && (byte === space || byte === newline || byte === tab || byte === carriageReturn)
}

export function isLineEnd(byte: number): boolean {
  return byte === newline || byte === carriageReturn
}

export function isDigit(byte: number): boolean {
  return byte >= zero && byte <= zero + 9
}

export function isLetter(byte: number): boolean {
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

/** -1 when it is none. */
export function hexDigit(byte: number): number {
  if (isDigit(byte)) return byte - zero
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1
}
