import type { Condition } from '../../model/action.ts'
import { jmeterParts, parameterText } from './jmeter-text.ts'

type Comparison = Condition['comparisons'][number]
type Operator = Comparison['operator']
type Token = { kind: 'text' | 'number' | 'word' | 'sign'; text: string }

/** Gives a text of JMeter as a template. */
type Template = (text: string) => string

const expressionCharactersMax = 10_000
const depthMax = 20

const opposites: Readonly<Record<Operator, Operator>> = {
  equals: 'not_equals',
  not_equals: 'equals',
  contains: 'not_contains',
  not_contains: 'contains',
  // There is no opposite of it.
  matches: 'matches',
  less: 'greater_or_equal',
  greater_or_equal: 'less',
  greater: 'less_or_equal',
  less_or_equal: 'greater',
  empty: 'not_empty',
  not_empty: 'empty',
}

const scripted = new Set(['__jexl3', '__jexl2', '__jexl', '__groovy', '__javaScript'])

/**
 * A condition of an If or While Controller, which JMeter evaluates as JEXL, Groovy or JavaScript: comparisons, joined by `and`
 * or by `or`. Undefined where it is more than that.
 */
export function readCondition(text: string, template: Template): Condition | undefined {
  const parts = jmeterParts(text.trim())
  const [only] = parts
  if (parts.length === 1 && only?.kind === 'variable')
    return one({ left: template(only.source), operator: 'equals', right: 'true' })
  const isScript = parts.length === 1 && only?.kind === 'function' && scripted.has(only.name)
  const expression = isScript ? parameterText(only.parameters[0] ?? '') : text.trim()
  if (isScript && only.parameters.length > 2) return undefined
  if (expression.length > expressionCharactersMax) return undefined
  const tokens = tokensOf(expression)
  return tokens === undefined ? undefined : new Reader(tokens, template).whole()
}

function one(comparison: Comparison): Condition {
  return { combine: 'all', comparisons: [comparison] }
}

const token =
  /\s*(?:("(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\$\{(?:[^{}]|\{[^{}]*\})*\})|(-?\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(&&|\|\||==|!=|<=|>=|=~|[<>!().,]))/y

function tokensOf(expression: string): Token[] | undefined {
  const tokens: Token[] = []
  token.lastIndex = 0
  const end = expression.trimEnd().length
  while (token.lastIndex < end) {
    const found = token.exec(expression)
    if (found === null) {
      token.lastIndex = 0
      return undefined
    }
    const [, text, number, word, sign] = found
    if (text !== undefined) tokens.push({ kind: 'text', text: text.startsWith('$') ? text : unquoted(text) })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else tokens.push({ kind: 'sign', text: sign! })
  }
  token.lastIndex = 0
  return tokens
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** A literal of a script, as a text of JMeter: its variables stay, and what was written as a number is never one. */
function unquoted(literal: string): string {
  const text = literal
    .slice(1, -1)
    .replaceAll(/\\(?:u([0-9a-fA-F]{4})|([^]))/g, (_, code: string | undefined, character: string) =>
      code === undefined ? (escapes[character] ?? character) : written(Number.parseInt(code, 16)),
    )
  // Backslashes are taken away where there are variables beside them.
  return text.includes('${') ? text.replaceAll('\\', '\\\\') : text
}

function written(code: number): string {
  return code === dollar ? '${__char(36)}' : String.fromCharCode(code)
}

const dollar = 36

/** Reads by descent; what it does not know makes it give up. */
class Reader {
  readonly #tokens: readonly Token[]
  readonly #template: Template
  #at = 0

  constructor(tokens: readonly Token[], template: Template) {
    this.#tokens = tokens
    this.#template = template
  }

  whole(): Condition | undefined {
    const condition = this.#joined(0)
    return this.#at === this.#tokens.length && condition !== undefined && condition.comparisons.length <= 20
      ? condition
      : undefined
  }

  #joined(depth: number): Condition | undefined {
    let condition = this.#term(depth)
    for (;;) {
      const next = this.#tokens[this.#at]?.text
      const combine =
        next === '&&' || next === 'and' ? 'all' : next === '||' || next === 'or' ? 'any' : undefined
      if (condition === undefined || combine === undefined) return condition
      this.#at++
      const right = this.#term(depth)
      const isMixed = [condition, right].some(
        (side) => side !== undefined && side.comparisons.length > 1 && side.combine !== combine,
      )
      if (right === undefined || isMixed) return undefined
      condition = { combine, comparisons: [...condition.comparisons, ...right.comparisons] }
    }
  }

  #term(depth: number): Condition | undefined {
    if (depth > depthMax) return undefined
    if (this.#take('!') || this.#take('not')) return negated(this.#term(depth + 1))
    if (this.#take('(')) {
      const condition = this.#joined(depth + 1)
      return this.#take(')') ? condition : undefined
    }
    return this.#comparison()
  }

  #comparison(): Condition | undefined {
    if (this.#take('empty')) {
      const isCall = this.#take('(')
      const left = this.#operand()
      if (left === undefined || (isCall && !this.#take(')'))) return undefined
      return one({ left, operator: 'empty', right: '' })
    }
    const left = this.#operand()
    if (left === undefined) return undefined
    if (this.#take('.')) return this.#method(left)
    const operator = this.#operator()
    if (operator === undefined) return one({ left, operator: 'equals', right: 'true' })
    const right = this.#operand()
    return right === undefined ? undefined : one({ left, operator, right })
  }

  #method(left: string): Condition | undefined {
    const name = this.#tokens[this.#at++]?.text
    if (!this.#take('(')) return undefined
    if (name === 'isEmpty') return this.#take(')') ? one({ left, operator: 'empty', right: '' }) : undefined
    const right = this.#operand()
    if (right === undefined || !this.#take(')')) return undefined
    if (name === 'equals') return one({ left, operator: 'equals', right })
    if (name === 'contains') return one({ left, operator: 'contains', right })
    if (name === 'matches') return one({ left, operator: 'matches', right: searched(right) })
    return undefined
  }

  #operator(): Operator | undefined {
    const { kind, text } = this.#tokens[this.#at] ?? { kind: 'text', text: '' }
    const operator = kind === 'sign' || kind === 'word' ? operators.get(text) : undefined
    if (operator !== undefined) this.#at++
    return operator
  }

  /** A text, a number, a variable, or `vars.get("name")`. */
  #operand(): string | undefined {
    const { kind, text } = this.#tokens[this.#at] ?? { kind: 'sign', text: '' }
    if (kind === 'sign') return undefined
    this.#at++
    if (kind !== 'word') return this.#template(text)
    if (text === 'true' || text === 'false') return text
    if (text !== 'vars' || !this.#take('.') || !this.#take('get') || !this.#take('(')) return undefined
    const name = this.#tokens[this.#at++]
    return name?.kind === 'text' && this.#take(')') ? this.#template(`\${${name.text}}`) : undefined
  }

  #take(text: string): boolean {
    const next = this.#tokens[this.#at]
    const isThere = next !== undefined && next.text === text && (next.kind === 'sign' || next.kind === 'word')
    if (isThere) this.#at++
    return isThere
  }
}

const operators: ReadonlyMap<string, Operator> = new Map([
  ['==', 'equals'],
  ['eq', 'equals'],
  ['!=', 'not_equals'],
  ['ne', 'not_equals'],
  ['<', 'less'],
  ['lt', 'less'],
  ['<=', 'less_or_equal'],
  ['le', 'less_or_equal'],
  ['>', 'greater'],
  ['gt', 'greater'],
  ['>=', 'greater_or_equal'],
  ['ge', 'greater_or_equal'],
  ['=~', 'matches'],
])

/** `(?s).*(?:a|b).*` has to match all of a text, where a|b has to be somewhere in it. */
function searched(pattern: string): string {
  return /^\(\?s\)\.\*\(\?:([^]*)\)\.\*$/.exec(pattern)?.[1] ?? `^(?:${pattern})$`
}

export function negated(condition: Condition | undefined): Condition | undefined {
  if (condition === undefined || condition.comparisons.some(({ operator }) => operator === 'matches'))
    return undefined
  return {
    combine: condition.combine === 'all' && condition.comparisons.length > 1 ? 'any' : 'all',
    comparisons: condition.comparisons.map((comparison) => ({
      ...comparison,
      operator: opposites[comparison.operator],
    })),
  }
}
