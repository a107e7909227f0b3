import type { Condition } from '../../model/action.ts'
import { own } from '../browser/own.ts'

type Comparison = Condition['comparisons'][number]

const operators: Readonly<Record<string, Comparison['operator']>> = {
  '===': 'equals',
  '==': 'equals',
  '!==': 'not_equals',
  '!=': 'not_equals',
  '<': 'less',
  '<=': 'less_or_equal',
  '>': 'greater',
  '>=': 'greater_or_equal',
}

const operand = String.raw`"[^"\\]*"|'[^'\\]*'|\$\{[A-Za-z_][\w.-]*\}|-?\d+(?:\.\d+)?|true|false`
const comparison = new RegExp(String.raw`^(!?)\s*(${operand})(?:\s*([=!<>]=?=?)\s*(${operand}))?$`)

const charactersMax = 10_000

/**
 * A condition that is written in JavaScript, where it is simple: comparisons of variables, texts and numbers, with && or || between
 * them. Undefined for others.
 */
export function readCondition(text: string): Condition | undefined {
  const parts = text.length > charactersMax ? undefined : splitOutsideQuotes(text)
  if (parts === undefined || parts.texts.length > 20) return undefined
  const comparisons: Comparison[] = []
  for (const part of parts.texts) {
    const read = readComparison(part.trim())
    if (read === undefined) return undefined
    comparisons.push(read)
  }
  return { combine: parts.operator === '||' ? 'any' : 'all', comparisons }
}

function readComparison(text: string): Comparison | undefined {
  const [, not, left, sign, right] = comparison.exec(text) ?? []
  if (left === undefined) return undefined
  if (sign === undefined || right === undefined) {
    if (left.startsWith('${')) return { left, operator: not === '' ? 'not_empty' : 'empty', right: '' }
    if (left !== 'true' && left !== 'false') return undefined
    return { left, operator: not === '' ? 'equals' : 'not_equals', right: 'true' }
  }
  const operator = own(operators, sign)
  if (operator === undefined || not !== '') return undefined
  return { left: unquoted(left), operator, right: unquoted(right) }
}

/** Undefined where && and || are mixed. */
function splitOutsideQuotes(text: string): { texts: string[]; operator: string } | undefined {
  const texts = ['']
  let operator = ''
  for (const token of text.match(/"[^"\\]*"|'[^'\\]*'|&&|\|\||[^]/g) ?? []) {
    if (token !== '&&' && token !== '||') texts[texts.length - 1] += token
    else if (operator !== '' && operator !== token) return undefined
    else {
      operator = token
      texts.push('')
    }
  }
  return { texts, operator }
}

function unquoted(text: string): string {
  return /^["']/.test(text) ? text.slice(1, -1) : text
}
