import { jsonExcess } from '../json/json-excess.ts'
import { SourceError } from './importer.ts'

/** More levels than any document of these formats has that a person wrote or a tool made. */
export const jsonLevelsMax = 200

/** A whole JSON text. What is no JSON, or more than can be held, is a SourceError with its line. */
export function parseJson(text: string): unknown {
  const excess = jsonExcess(text, jsonLevelsMax)
  if (excess !== undefined) throw new SourceError(excess)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new SourceError(
      'It is no JSON, or it is cut off.',
      error instanceof Error ? placeIn(text, error.message) : undefined,
    )
  }
}

/** V8 tells where it stopped in words: "… in JSON at position 12 (line 1 column 13)". */
function placeIn(text: string, message: string): string | undefined {
  const position = /at position (\d+)/.exec(message)?.[1]
  if (position === undefined) return /end of JSON/.test(message) ? lineAt(text, text.length) : undefined
  return lineAt(text, Number(position))
}

/** The place of a position in a text, as a SourceError tells it. */
export function lineAt(text: string, position: number): string {
  return `line ${text.slice(0, position).split('\n').length}`
}
