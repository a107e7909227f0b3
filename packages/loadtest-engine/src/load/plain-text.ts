import type { TemplatePart } from '@flamegate/loadtest'
import type { User } from '../program/user.ts'

/** Characters, by their codes: 1 for those that belong to it. */
export type Characters = Uint8Array

/** What a path leaves as it is. A dot may be one of a dot segment. */
export const pathCharacters = charactersOf(/[\w~-]/)
/** What encoding leaves as it is. */
export const queryCharacters = charactersOf(/[\w~.-]/)
/** What a header has as it is, whatever stands beside it. */
export const headerCharacters = charactersOf(/[\t -~]/)

/**
 * Fills in variables whose values need neither encoding nor looking at, as those of most requests: nothing but these characters,
 * and one at least. Undefined where one does, and where a value is made anew for each use.
 */
export function plainText(
  parts: readonly TemplatePart[],
  user: User,
  characters: Characters,
): string | undefined {
  let text = ''
  for (const part of parts) {
    if (typeof part === 'string') text += part
    else {
      const value = part.index === null ? user.variables.known(part.name) : undefined
      if (value === undefined || !isOf(value, characters)) return undefined
      text += value
    }
  }
  return text
}

function isOf(text: string, characters: Characters): boolean {
  const { length } = text
  // What is beyond the table is none of them.
  for (let index = 0; index < length; index++) if (characters[text.charCodeAt(index)] !== 1) return false
  return length > 0
}

function charactersOf(pattern: RegExp): Characters {
  return Uint8Array.from({ length: 128 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0))
}
