import { FormatError } from './format-error.ts'
import { JsonValue } from './json-value.ts'

/**
 * Parses JSON as benchmark tools write it. Google Benchmark prints bare `NaN` and `Infinity` (its `FormatKV` says so
 * itself), which are read as null. A document that does not parse is refused with the line where it stops making sense.
 */
export function parseJson(text: string): JsonValue {
  try {
    return new JsonValue(JSON.parse(text))
  } catch {
    const repaired = replaceBareNumbers(text)
    try {
      return new JsonValue(JSON.parse(repaired))
    } catch (error) {
      throw new FormatError('Not valid JSON: it is malformed or cut off', failingLine(repaired, error))
    }
  }
}

function replaceBareNumbers(text: string): string {
  // Strings are matched first and kept, so that a benchmark named "NaN" stays.
  return text.replaceAll(/"(?:[^"\\\n]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (token) =>
    token.startsWith('"') ? token : 'null',
  )
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
