import type { Condition } from '@flamegate/loadtest'
import { ActionFailure } from '../action-failure.ts'
import type { CompiledTemplate } from '../program/compiled-template.ts'
import type { Compiler } from '../program/compiler.ts'
import type { User } from '../program/user.ts'
import { patternOf } from '../response/assert.ts'

type Operator = Condition['comparisons'][number]['operator']
type Compare = (left: string, right: string) => boolean

const compares: Record<Operator, Compare> = {
  equals: (left, right) => compare(left, right) === 0,
  not_equals: (left, right) => compare(left, right) !== 0,
  contains: (left, right) => left.includes(right),
  not_contains: (left, right) => !left.includes(right),
  matches: (left, right) => patternOf(right).test(left),
  less: (left, right) => compare(left, right) < 0,
  less_or_equal: (left, right) => compare(left, right) <= 0,
  greater: (left, right) => compare(left, right) > 0,
  greater_or_equal: (left, right) => compare(left, right) >= 0,
  empty: (left) => left === '',
  not_empty: (left) => left !== '',
}

/** Whether a condition holds for a user now. */
export function compileCondition(
  { combine, comparisons }: Condition,
  compiler: Compiler,
): (user: User) => boolean {
  const tests = comparisons.map(({ left, operator, right }) => {
    const compiledLeft = compiler.template(left)
    const compiledRight = compiler.template(right)
    const isAboutEmptiness = operator === 'empty' || operator === 'not_empty'
    const test = compileTest(operator, compiledRight)
    return (user: User) =>
      test(
        isAboutEmptiness ? expandOrEmpty(user, compiledLeft) : user.expand(compiledLeft),
        isAboutEmptiness ? '' : user.expand(compiledRight),
      )
  })
  return (user) => (combine === 'all' ? tests.every((test) => test(user)) : tests.some((test) => test(user)))
}

/** A pattern without variables is compiled once. */
function compileTest(operator: Operator, right: CompiledTemplate): Compare {
  if (operator !== 'matches' || typeof right !== 'string') return compares[operator]
  try {
    const pattern = patternOf(right)
    return (left) => pattern.test(left)
  } catch {
    // Said when it runs.
    return compares.matches
  }
}

/** What has no value is empty, for those who ask just that. */
function expandOrEmpty(user: User, template: CompiledTemplate): string {
  try {
    return user.expand(template)
  } catch (error) {
    if (error instanceof ActionFailure) return ''
    throw error
  }
}

const whole = /^\s*-?\d+\s*$/

/** As numbers where both are numbers. */
function compare(left: string, right: string): number {
  const leftNumber = numberOf(left)
  const rightNumber = numberOf(right)
  if (leftNumber !== undefined && rightNumber !== undefined) {
    // Ids, of which a number would keep no more than the beginning.
    const isLarge = Math.max(Math.abs(leftNumber), Math.abs(rightNumber)) > Number.MAX_SAFE_INTEGER
    return isLarge && whole.test(left) && whole.test(right)
      ? Number(BigInt(left) - BigInt(right))
      : leftNumber - rightNumber
  }
  return left < right ? -1 : left > right ? 1 : 0
}

function numberOf(text: string): number | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : undefined
}
