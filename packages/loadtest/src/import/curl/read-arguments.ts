import type { Word } from './command-words.ts'
import { longNames, optionsWithValue } from './curl-options.ts'

/** An option of curl with its value, or an address. */
export interface Argument {
  /** Long name; `url` for what stands by itself, too. */
  option: string
  /** As it is written: `-H`. */
  written: string
  /** Null for those that have none. */
  value: Word | null
  /** Without one that it needs. */
  isCut: boolean
  line: number
}

/** Takes the words behind `curl` apart: `-XPOST`, `-kL`, `--data x`, `--data=x`. */
export function readArguments(words: readonly Word[]): Argument[] {
  const read: Argument[] = []
  let hasEnded = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const { line } = word
    const text = startOf(word)
    const take = (option: string, written: string, attached: Word | null): void => {
      if (!optionsWithValue.has(option)) {
        read.push({ option, written, value: null, isCut: false, line })
        return
      }
      const value = attached ?? words[++at] ?? null
      read.push({ option, written, value, isCut: value === null, line })
    }
    if (hasEnded || text === '-' || !text.startsWith('-')) {
      read.push({ option: 'url', written: 'url', value: word, isCut: false, line })
    } else if (text === '--') {
      hasEnded = true
    } else if (text.startsWith('--')) {
      const equals = text.indexOf('=')
      const name = equals === -1 ? text.slice(2) : text.slice(2, equals)
      take(name, `--${name}`, equals === -1 ? null : without(word, equals + 1))
    } else {
      // Letters together, of which the last may have a value behind it.
      for (let index = 1; index < text.length; index++) {
        const letter = text.charAt(index)
        const option = longNames.get(letter) ?? letter
        const hasMore = index + 1 < text.length || word.parts.length > 1
        const isLast = optionsWithValue.has(option)
        take(option, `-${letter}`, isLast && hasMore ? without(word, index + 1) : null)
        if (isLast) break
      }
    }
  }
  return read
}

/** The text that a word begins with, up to a variable in it. */
function startOf({ parts: [first] }: Word): string {
  return first !== undefined && 'text' in first ? first.text : ''
}

function without(word: Word, count: number): Word {
  return { ...word, parts: [{ text: startOf(word).slice(count) }, ...word.parts.slice(1)] }
}
