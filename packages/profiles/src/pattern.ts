/**
 * Regular expressions whose time is linear in the text, for patterns that come from files and from callers:
 * JavaScript's own can be made to run for years. Written after Thompson's construction, as RE2 is:
 * https://swtch.com/~rsc/regexp/regexp1.html
 *
 * The syntax is the useful part of RE2's: literals, `.`, `[a-z]`, `[^a-z]`, `\d \w \s` and their opposites,
 * `( )`, `(?: )`, `|`, `*`, `+`, `?`, `^`, `$`, escapes, and `(?i)` at the start.
 */
export class Pattern {
  private readonly states: readonly State[]
  private readonly start: number
  private readonly ignoresCase: boolean
  /** Of each state, the position where it was added last, counted over all texts: no state is followed twice at one. */
  private readonly seen: Int32Array
  private position = 0
  /** States at the position, and at the next one. */
  private active: StateList
  private next: StateList
  private readonly pending: number[] = []
  /** So that a large pattern on very many names ends, too. */
  private stepsLeft = 2 ** 26

  /** Throws PatternError, naming the place, when it is no such pattern. */
  constructor(source: string) {
    if (source.length > 4000) throw new PatternError('The pattern is longer than 4000 characters')
    this.ignoresCase = source.startsWith('(?i)')
    const compiler = new Compiler(this.ignoresCase ? lowerCased(source) : source, this.ignoresCase ? 4 : 0)
    this.start = compiler.compile()
    this.states = compiler.states
    this.seen = new Int32Array(this.states.length)
    this.active = new StateList(this.states.length)
    this.next = new StateList(this.states.length)
  }

  /** Whether the pattern is found anywhere in the text. Throws PatternError when all tests took too long. */
  test(text: string): boolean {
    const input = this.ignoresCase ? text.toLowerCase() : text
    const { length } = input
    this.active.count = 0
    this.position++
    for (let at = 0; ; at++) {
      if (this.follow(this.start, at === 0, at === length, this.active)) return true
      if (at === length) return false
      const code = input.charCodeAt(at)
      const { active, next } = this
      next.count = 0
      this.position++
      for (let index = 0; index < active.count; index++) {
        const state = this.states[active.states[index]!]!
        if (state.kind !== 'character' || !state.accepts(code)) continue
        if (this.follow(state.next, false, at + 1 === length, next)) return true
      }
      if (this.stepsLeft < 0) throw new PatternError('The pattern takes too long on this many names')
      this.active = next
      this.next = active
    }
  }

  /** Adds a state and those reached from it without a character; true when one of them is the end. */
  private follow(first: number, isAtStart: boolean, isAtEnd: boolean, added: StateList): boolean {
    const { states, seen, pending, position } = this
    for (let index: number | undefined = first; index !== undefined; index = pending.pop()) {
      this.stepsLeft--
      if (seen[index] === position) continue
      seen[index] = position
      const state = states[index]!
      if (state.kind === 'character') added.states[added.count++] = index
      else if (state.kind === 'fork') pending.push(state.other, state.next)
      else if (state.kind === 'end') {
        pending.length = 0
        return true
      } else if (state.kind === 'atStart' ? isAtStart : isAtEnd) pending.push(state.next)
    }
    return false
  }
}

/** The text is not a pattern that we read, or it takes too long. The message is for whoever wrote it. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

type State =
  | { kind: 'end' }
  | { kind: 'character'; accepts: (code: number) => boolean; next: number }
  | { kind: 'fork'; next: number; other: number }
  | { kind: 'atStart' | 'atEnd'; next: number }

/** As many of the states as there are, without a list made anew for each character. */
class StateList {
  readonly states: Int32Array
  count = 0

  constructor(capacity: number) {
    this.states = new Int32Array(capacity)
  }
}

/** Builds a part of the machine in front of the state that comes after it. */
type Part = (next: number) => number

class Compiler {
  readonly states: State[] = [{ kind: 'end' }]
  private position: number
  private readonly source: string
  private depth = 0

  constructor(source: string, position: number) {
    this.source = source
    this.position = position
  }

  compile(): number {
    const whole = this.alternatives()
    if (this.position < this.source.length) this.fail('unexpected ")"')
    return whole(0)
  }

  private alternatives(): Part {
    if (++this.depth > 100) this.fail('nested too deep')
    const parts = [this.sequence()]
    while (this.take('|')) parts.push(this.sequence())
    this.depth--
    return (next) =>
      parts.map((part) => part(next)).reduceRight((other, first) => this.add(fork(first, other)))
  }

  private sequence(): Part {
    const parts: Part[] = []
    while (this.position < this.source.length && !'|)'.includes(this.source[this.position]!)) {
      parts.push(this.repeated())
    }
    return (next) => parts.reduceRight((after, part) => part(after), next)
  }

  private repeated(): Part {
    const once = this.atom()
    const mark = '*+?'.includes(this.source[this.position] ?? ' ') ? this.source[this.position++] : undefined
    // A lazy `*?` finds other places, but finds the same texts.
    if (mark !== undefined) this.take('?')
    if (this.source[this.position] === '{') this.fail('"{" must be escaped; counted repeats are not read')
    if (mark === '*') return (next) => this.loop(once, next).entry
    if (mark === '+') return (next) => this.loop(once, next).body
    if (mark === '?') return (next) => this.add(fork(once(next), next))
    return once
  }

  /** `entry` may skip the body, `body` goes through it once at least. */
  private loop(part: Part, next: number): { entry: number; body: number } {
    const entry = this.add(fork(next, next))
    const body = part(entry)
    this.states[entry] = fork(body, next)
    return { entry, body }
  }

  private atom(): Part {
    if (this.take('(')) {
      if (this.take('?') && !this.take(':')) this.fail('only "(" and "(?:" groups are read')
      const group = this.alternatives()
      if (!this.take(')')) this.fail('missing ")"')
      return group
    }
    if (this.take('^')) return (next) => this.add({ kind: 'atStart', next })
    if (this.take('$')) return (next) => this.add({ kind: 'atEnd', next })
    const accepts = this.character()
    return (next) => this.add({ kind: 'character', accepts, next })
  }

  private character(): (code: number) => boolean {
    const start = this.position
    if (this.take('.')) return (code) => code !== 10
    if (this.take('[')) return this.characterClass()
    if (this.take('\\')) return this.escape()
    const character = this.source[this.position++]!
    if ('*+?'.includes(character)) this.fail('nothing to repeat', start)
    return equals(character)
  }

  private characterClass(): (code: number) => boolean {
    const isNegated = this.take('^')
    const tests: ((code: number) => boolean)[] = []
    do {
      if (this.position >= this.source.length) this.fail('missing "]"')
      if (this.take('\\')) {
        tests.push(this.escape())
        continue
      }
      const low = this.source.charCodeAt(this.position++)
      if (this.source[this.position] === '-' && this.source[this.position + 1] !== ']') {
        this.position++
        this.take('\\')
        const high = this.source.charCodeAt(this.position++)
        tests.push((code) => code >= low && code <= high)
      } else tests.push((code) => code === low)
    } while (!this.take(']'))
    return (code) => tests.some((accepts) => accepts(code)) !== isNegated
  }

  private escape(): (code: number) => boolean {
    if (this.position >= this.source.length) this.fail('nothing after "\\"')
    const character = this.source[this.position++]!
    const known = escapes[character.toLowerCase()]
    if (known !== undefined && /[DWS]/.test(character)) return (code) => !known(code)
    if (known !== undefined) return known
    if (/[a-zA-Z0-9]/.test(character)) this.fail(`"\\${character}" is not read`)
    return equals(character)
  }

  private take(character: string): boolean {
    if (this.source[this.position] !== character) return false
    this.position++
    return true
  }

  private add(state: State): number {
    return this.states.push(state) - 1
  }

  private fail(what: string, position = this.position): never {
    throw new PatternError(`Pattern, character ${position + 1}: ${what}`)
  }
}

/** What escapes mean depends on their case. */
function lowerCased(source: string): string {
  return source.replaceAll(/\\.|[A-Z]/gs, (part) => (part.length === 1 ? part.toLowerCase() : part))
}

function fork(next: number, other: number): State {
  return { kind: 'fork', next, other }
}

function equals(character: string): (code: number) => boolean {
  const wanted = character.charCodeAt(0)
  return (code) => code === wanted
}

const isDigit = (code: number) => code >= 48 && code <= 57
const escapes: Readonly<Record<string, ((code: number) => boolean) | undefined>> = {
  d: isDigit,
  w: (code) => isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95,
  s: (code) => code === 32 || (code >= 9 && code <= 13),
}
