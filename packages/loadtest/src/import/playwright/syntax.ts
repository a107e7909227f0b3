// What scripts of Playwright are made of, in whichever language they are written: just enough to follow what they do to a page.

export interface Placed {
  /** Offset in the source. */
  from: number
  /** Counted from 1. */
  line: number
  text: string
}

/** A value: `await`, casts and parentheses are passed over. Names of members and of named arguments are in camelCase. */
export type Expression = Placed &
  (
    | { kind: 'literal'; value: string | number | boolean | null }
    | { kind: 'regex'; source: string; flags: string }
    /** `a ${b}`, f'a {b}', 'a ' + b */
    | { kind: 'joined'; parts: Expression[] }
    /** a || b, a ?? b, a or b */
    | { kind: 'either'; first: Expression; second: Expression }
    | { kind: 'name'; name: string }
    | { kind: 'member'; of: Expression; name: string }
    /** Named arguments of Python are a record at the end, as JavaScript has it. */
    | { kind: 'call'; callee: Expression; values: Expression[] }
    | { kind: 'list'; items: Expression[] }
    | { kind: 'record'; entries: { name: string; value: Expression }[] }
    | { kind: 'function'; function: FunctionParts }
    | { kind: 'other' }
  )

export interface FunctionParts {
  parameters: Pattern[]
  body: Statement[]
  /** Of a function that is just a value: `() => page.reload()`. */
  result: Expression | null
}

/** What a value is given to. */
export type Pattern =
  | { kind: 'name'; name: string }
  | { kind: 'list'; items: Pattern[] }
  | { kind: 'record'; entries: { name: string; pattern: Pattern }[] }
  | { kind: 'other' }

export type Statement = Placed &
  (
    | { kind: 'expression'; expression: Expression }
    /** `isNew`: the names are declared here, whatever they mean elsewhere. */
    | { kind: 'binding'; isNew: boolean; bindings: { pattern: Pattern; value: Expression | null }[] }
    | { kind: 'import'; names: { imported: string; local: string }[] }
    | { kind: 'function'; name: string; function: FunctionParts; decorators: Expression[] }
    /** A class of tests, as pytest has them. */
    | { kind: 'class'; name: string; body: Statement[] }
    | { kind: 'with'; items: { value: Expression; pattern: Pattern | null }[]; body: Statement[] }
    /** What is always done. */
    | { kind: 'block'; body: Statement[] }
    | { kind: 'return'; value: Expression | null }
    | { kind: 'yield' }
    /** Types and the like, which do nothing. */
    | { kind: 'declaration' }
    | { kind: 'other'; what: string }
  )

export interface Script {
  body: Statement[]
  /** Every statement, also those inside others, in the order of the source. */
  all: Statement[]
}

/** More levels of expressions than a person writes. */
export const expressionDepthMax = 200

/** `get_by_role` as it is called in the other language. */
export function camelCase(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])_([a-z\d])/g, (_, letter: string) => letter.toUpperCase())
}

/** What calculations with numbers that are written down come to: pauses are written as `2 * 1000`. */
export function calculate(operator: string, left: Expression, right: Expression): number | undefined {
  if (left.kind !== 'literal' || right.kind !== 'literal') return undefined
  const { value: a } = left
  const { value: b } = right
  if (typeof a !== 'number' || typeof b !== 'number') return undefined
  if (operator === '+') return a + b
  if (operator === '-') return a - b
  if (operator === '*') return a * b
  return operator === '/' && b !== 0 ? a / b : undefined
}

/** Tells on which line an offset is. */
export class Lines {
  readonly #starts: number[] = [0]

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1)
  }

  at(offset: number): number {
    let low = 0
    let high = this.#starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (this.#starts[middle]! <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}
