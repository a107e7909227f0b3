import { ImpossibleError } from './schema-node.ts'

/** Makes a part of a text; `*` and `+` repeat up to so often. */
type Part = (random: () => number, repeatsMax: number) => string

const LENGTH_MAX = 500
const digits = range('0', '9')
const wordCharacters = [...range('a', 'z'), ...range('A', 'Z'), ...digits, '_']
const plainCharacters = [...range('a', 'z'), ...digits]
const classes: Readonly<Record<string, string[]>> = {
  d: digits,
  w: wordCharacters,
  s: [' '],
  D: range('a', 'z'),
  W: ['-', ' ', '.'],
  S: plainCharacters,
}
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' }

/**
 * What makes texts that a regular expression matches, of the parts that patterns of schemas mostly have: characters,
 * classes, groups, alternatives, repetitions, and the anchors at its ends. @throws ImpossibleError for others
 */
export function matchingText(pattern: string): Part {
  if (pattern.length > LENGTH_MAX) throw new ImpossibleError('its pattern is too long')
  const reader = new PatternReader(pattern)
  const part = reader.alternatives()
  if (!reader.isAtEnd) throw reader.unknown()
  return part
}

class PatternReader {
  readonly #characters: string[]
  readonly #pattern: string
  #at = 0

  constructor(pattern: string) {
    this.#pattern = pattern
    this.#characters = Array.from(pattern)
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#characters.length
  }

  unknown(): ImpossibleError {
    return new ImpossibleError(`its pattern ${this.#pattern} is not simple enough to make a text for`)
  }

  alternatives(): Part {
    const all = [this.#sequence()]
    while (this.#take('|')) all.push(this.#sequence())
    return (random, repeatsMax) => pick(all, random)(random, repeatsMax)
  }

  #sequence(): Part {
    const parts: Part[] = []
    while (!this.isAtEnd && this.#next !== '|' && this.#next !== ')')
      parts.push(this.#repeated(this.#single()))
    return (random, repeatsMax) => parts.map((part) => part(random, repeatsMax)).join('')
  }

  #single(): Part {
    const character = this.#characters[this.#at++]
    switch (character) {
      // Where they cannot hold, the text that comes out does not match, which is seen.
      case '^':
      case '$':
        return () => ''
      case '.':
        return oneOf(plainCharacters)
      case '(':
        return this.#group()
      case '[':
        return oneOf(this.#set())
      case '\\':
        return this.#escape()
      case undefined:
      case '*':
      case '+':
      case '?':
      case '{':
        throw this.unknown()
      default:
        return () => character
    }
  }

  #group(): Part {
    if (this.#take('?')) {
      if (this.#take('<')) {
        if (this.#next === '=' || this.#next === '!') throw this.unknown()
        while (!this.isAtEnd && this.#next !== '>') this.#at += 1
        this.#at += 1
      } else if (!this.#take(':')) throw this.unknown()
    }
    const inner = this.alternatives()
    if (!this.#take(')')) throw this.unknown()
    return inner
  }

  #escape(): Part {
    const character = this.#characters[this.#at++]
    if (character === undefined || /[1-9bBpPkc]/.test(character)) throw this.unknown()
    return oneOf(this.#escaped(character))
  }

  #escaped(character: string): string[] {
    const known = classes[character]
    if (known) return known
    if (character !== 'u' && character !== 'x') return [escapes[character] ?? character]
    const length = character === 'u' ? 4 : 2
    const code = this.#characters.slice(this.#at, this.#at + length).join('')
    if (!/^[\da-f]+$/i.test(code) || code.length < length) throw this.unknown()
    this.#at += length
    return [String.fromCodePoint(Number.parseInt(code, 16))]
  }

  #set(): string[] {
    const isExcluding = this.#take('^')
    const members: string[] = []
    while (!this.#take(']')) {
      const from = this.#member()
      if (from.length === 1 && this.#next === '-' && this.#characters[this.#at + 1] !== ']') {
        this.#at += 1
        members.push(...range(from[0] ?? '', this.#member()[0] ?? ''))
      } else members.push(...from)
    }
    const allowed = isExcluding
      ? [...wordCharacters, '-', '.', ' '].filter((character) => !members.includes(character))
      : members
    if (allowed.length === 0) throw this.unknown()
    return allowed
  }

  #member(): string[] {
    const character = this.#characters[this.#at++]
    if (character === undefined) throw this.unknown()
    if (character !== '\\') return [character]
    const escaped = this.#characters[this.#at++]
    if (escaped === undefined || /[pPkc]/.test(escaped)) throw this.unknown()
    return this.#escaped(escaped)
  }

  #repeated(part: Part): Part {
    const bounds = this.#bounds()
    if (bounds === undefined) return part
    // Lazy ones match the same.
    this.#take('?')
    const [min, max] = bounds
    return (random, repeatsMax) => {
      const most = Math.max(min, Math.min(max, min + repeatsMax))
      const count = min + Math.floor(random() * (most - min + 1))
      return Array.from({ length: count }, () => part(random, repeatsMax)).join('')
    }
  }

  #bounds(): [min: number, max: number] | undefined {
    if (this.#take('?')) return [0, 1]
    if (this.#take('*')) return [0, Infinity]
    if (this.#take('+')) return [1, Infinity]
    const rest = this.#characters.slice(this.#at).join('')
    const found = /^\{(\d+)(,?)(\d*)\}/.exec(rest)
    if (!found) return undefined
    this.#at += found[0].length
    const min = Number(found[1])
    if (min > LENGTH_MAX) throw this.unknown()
    return [min, found[3] ? Number(found[3]) : found[2] ? Infinity : min]
  }

  get #next(): string | undefined {
    return this.#characters[this.#at]
  }

  #take(character: string): boolean {
    if (this.#next !== character) return false
    this.#at += 1
    return true
  }
}

function oneOf(characters: readonly string[]): Part {
  return (random) => pick(characters, random)
}

function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new RangeError('There is nothing to pick from')
  return item
}

/** Of a few hundred at most: whole scripts are more than anybody needs. */
function range(from: string, to: string): string[] {
  const [first, last] = [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0]
  return Array.from({ length: Math.min(300, Math.max(0, last - first + 1)) }, (_, at) =>
    String.fromCodePoint(first + at),
  )
}
