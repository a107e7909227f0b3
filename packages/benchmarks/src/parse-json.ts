import { FormatError } from './format-error.ts'
import { JsonValue } from './json-value.ts'

/**
 * Parses JSON as benchmark tools write it. Google Benchmark prints bare `NaN` and `Infinity` (its `FormatKV` says so
 * itself), which are read as null. A document that does not parse is refused with the line where it stops making sense.
 */
export function parseJson(text: string): JsonValue {
  try {
    return new JsonValue(JSON.parse(text))
  } catch (error) {
    const repaired = replaceBareNumbers(text)
    // The same text would fail in the same way, and a large one takes its time.
    if (repaired === text) throw malformed(text, error)
    try {
      return new JsonValue(JSON.parse(repaired))
    } catch (own) {
      throw malformed(repaired, own)
    }
  }
}

function malformed(text: string, error: unknown): FormatError {
  return new FormatError('Not valid JSON: it is malformed or cut off', failingLine(text, error))
}

const BARE_NUMBERS = ['NaN', 'Infinity']

/**
 * Character by character: a pattern for texts looks at the rest of the file again and again where one has no end, and a
 * benchmark named "NaN" has to stay.
 */
function replaceBareNumbers(text: string): string {
  if (!BARE_NUMBERS.some((word) => text.includes(word))) return text
  const pieces: string[] = []
  let pieceStart = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') at = endOfText(text, at)
    const word =
      character === 'N' || character === 'I'
        ? BARE_NUMBERS.find((candidate) => text.startsWith(candidate, at))
        : undefined
    if (word !== undefined) {
      pieces.push(text.slice(pieceStart, text[at - 1] === '-' ? at - 1 : at))
      at += word.length - 1
      pieceStart = at + 1
    }
  }
  return [...pieces, text.slice(pieceStart)].join('null')
}

/** Where the closing quote is, or the end of the file. */
function endOfText(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

const SEARCHED_LENGTH_MAX = 4_000_000

/** undefined for a large document of which the engine does not tell the position: searching it would take too long. */
function failingLine(text: string, error: unknown): number | undefined {
  const message = error instanceof SyntaxError ? error.message : ''
  const told = /position (\d+)/.exec(message)?.[1]
  if (told !== undefined) return lineAt(text, Math.min(Number(told), text.trimEnd().length))
  if (isCutOff(message)) return lineAt(text, text.trimEnd().length)
  return text.length > SEARCHED_LENGTH_MAX ? undefined : lineAt(text, longestCutOff(text))
}

/** The length of the longest prefix that could still become JSON, by bisection: V8 does not tell where a token broke. */
function longestCutOff(text: string): number {
  let good = 0
  let bad = text.length
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (isCutOff(parseError(text.slice(0, middle)))) good = middle
    else bad = middle
  }
  return good
}

function parseError(text: string): string {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return error instanceof SyntaxError ? error.message : ''
  }
}

function isCutOff(message: string): boolean {
  return /^(Unexpected end|Unterminated)/.test(message)
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length
}
