import type { Condition } from '../../model/action.ts'
import { templateParts } from '../../model/template-parts.ts'
import { reference, toJmeter, type Work } from './work.ts'

type Comparison = Condition['comparisons'][number]

/** A condition in JEXL, as JMeter's controllers evaluate it: `${__jexl3("${a}" == "1" && …)}`. */
export function toJexl(work: Work, condition: Condition): string {
  return call(expression(work, condition))
}

export function toJexlNot(work: Work, condition: Condition): string {
  return call(`!(${expression(work, condition)})`)
}

function call(text: string): string {
  return `\${__jexl3(${text})}`
}

function expression(work: Work, { combine, comparisons }: Condition): string {
  return comparisons.map((comparison) => compare(work, comparison)).join(combine === 'all' ? ' && ' : ' || ')
}

const signs: Readonly<Partial<Record<Comparison['operator'], string>>> = {
  equals: '==',
  not_equals: '!=',
  less: '<',
  less_or_equal: '<=',
  greater: '>',
  greater_or_equal: '>=',
}

function compare(work: Work, { left, operator, right }: Comparison): string {
  const quotedLeft = quoted(work, left)
  switch (operator) {
    case 'equals':
    case 'not_equals':
      return `${quotedLeft} ${signs[operator]} ${quoted(work, right)}`
    case 'contains':
      return `${quotedLeft}.contains(${quoted(work, right)})`
    case 'not_contains':
      return `!${quotedLeft}.contains(${quoted(work, right)})`
    case 'matches':
      // matches() is of the whole text.
      return `${quotedLeft}.matches(${quoted(work, `(?s).*(?:${right}).*`)})`
    case 'empty':
      return `${quotedLeft}.isEmpty()`
    case 'not_empty':
      return `!${quotedLeft}.isEmpty()`
    default:
      return `${numeric(work, left)} ${signs[operator]} ${numeric(work, right)}`
  }
}

/** Texts are compared by their letters: what is a number, or a variable that holds one, stands without quotes. */
function numeric(work: Work, template: string): string {
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(template) || /^\$\{[^{}]+\}$/.test(template)
  return isNumber ? toJmeter(work, template) : quoted(work, template)
}

/**
 * A literal of JEXL inside a parameter of a function: both take away backslashes, and commas, braces and parentheses would end
 * the parameter.
 */
function quoted(work: Work, template: string): string {
  const parts = templateParts(template).map((part) =>
    typeof part === 'string' ? escaped(part) : (work.inline.get(part.name) ?? reference(part)),
  )
  return `"${parts.join('')}"`
}

function escaped(text: string): string {
  return text
    .replaceAll(
      /[\\"$(){},\p{Cc}]/gu,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    .replaceAll('\\', '\\\\')
}
