import type { Assertion } from '@flamegate/loadtest'
import { ActionFailure, wordsOf } from '../action-failure.ts'
import type { CompiledTemplate } from '../program/compiled-template.ts'
import type { Compiler } from '../program/compiler.ts'
import { compileJsonPath, findOrFail } from './find-values.ts'
import type { FindValues } from './find-values.ts'
import type { Received } from './received.ts'
import { compileXPath } from './xpath.ts'

export interface Asserted {
  id: string
  outcome: 'passed' | 'failed'
  message: string
}

type Expand = (template: CompiledTemplate) => string
export type CompiledAssertion = (received: Received, expand: Expand) => Asserted

/** What was expected, and whether and how it was seen. */
interface Seen {
  holds: boolean
  expected: string
  got: string
}

/** Compiles the assertions that are switched on. */
export function compileAssertions(assertions: readonly Assertion[], compiler: Compiler): CompiledAssertion[] {
  return assertions.filter(({ enabled }) => enabled).map((assertion) => compileAssertion(assertion, compiler))
}

function compileAssertion(assertion: Assertion, compiler: Compiler): CompiledAssertion {
  const { id, negate, message } = assertion
  const fail = (words: string): Asserted => ({
    id,
    outcome: 'failed',
    message: message === null ? words : `${message}: ${words}`,
  })
  let check: (received: Received, expand: Expand) => Seen
  try {
    check = compileCheck(assertion, compiler)
  } catch (error) {
    return () => fail(`the assertion cannot be read: ${wordsOf(error)}`)
  }
  return (received, expand) => {
    try {
      const { holds, expected, got } = check(received, expand)
      const words = `expected ${negate ? `not ${expected}` : expected}, got ${got}`
      return holds === negate ? fail(words) : { id, outcome: 'passed', message: words }
    } catch (error) {
      if (error instanceof ActionFailure) return fail(error.message)
      throw error
    }
  }
}

function compileCheck(
  assertion: Assertion,
  compiler: Compiler,
): (received: Received, expand: Expand) => Seen {
  switch (assertion.type) {
    case 'status':
      return ({ status }) => ({
        holds: assertion.allowed.some((allowed) => isStatus(status, allowed)),
        expected: `status ${assertion.allowed.join(' or ')}`,
        got: status === null ? 'a message, which has none' : String(status),
      })
    case 'body_contains': {
      const text = compiler.template(assertion.text)
      return (received, expand) => {
        const wanted = expand(text)
        return {
          holds: received.text.includes(wanted),
          expected: `a body with ${quoted(wanted)} in it`,
          got: received.bodyWords,
        }
      }
    }
    case 'body_equals': {
      const text = compiler.template(assertion.text)
      return (received, expand) => {
        const wanted = expand(text)
        return {
          holds: received.text === wanted,
          expected: `the body ${quoted(wanted)}`,
          got: received.bodyWords,
        }
      }
    }
    case 'body_matches': {
      const pattern = new RegExp(assertion.pattern, assertion.flags)
      return (received) => ({
        holds: pattern.test(received.text),
        expected: `a body that matches ${assertion.pattern}`,
        got: received.bodyWords,
      })
    }
    case 'json_path':
      return compileValueCheck(
        `JSONPath ${assertion.path}`,
        compileJsonPath(assertion.path),
        assertion.equals,
        compiler,
      )
    case 'xpath':
      return compileValueCheck(
        `XPath ${assertion.expression}`,
        compileXPath(assertion.expression, assertion.equals === null),
        assertion.equals,
        compiler,
      )
    case 'header':
      return compileHeaderCheck(assertion, compiler)
    case 'size':
      return ({ body }) => ({
        holds: body.length >= (assertion.min_bytes ?? 0) && body.length <= (assertion.max_bytes ?? Infinity),
        expected: `a body of ${rangeWords(assertion.min_bytes, assertion.max_bytes)}`,
        got: `${body.length} bytes`,
      })
    default:
      return ({ durationMs }) => ({
        holds: durationMs <= assertion.max_ms,
        expected: `an answer within ${assertion.max_ms} ms`,
        got: `one after ${Math.round(durationMs * 10) / 10} ms`,
      })
  }
}

function compileValueCheck(what: string, find: FindValues, equals: string | null, compiler: Compiler) {
  const template = equals === null ? null : compiler.template(equals)
  return (received: Received, expand: Expand): Seen => {
    const values = findOrFail(find, received, what)
    const wanted = template === null ? null : expand(template)
    return {
      holds: wanted === null ? values.length > 0 : values.includes(wanted),
      expected: `${what} to ${wanted === null ? 'find something' : `be ${quoted(wanted)}`}`,
      got:
        values.length === 0 ? `nothing in ${received.bodyWords}` : values.slice(0, 5).map(quoted).join(', '),
    }
  }
}

function compileHeaderCheck(assertion: Extract<Assertion, { type: 'header' }>, compiler: Compiler) {
  const { name, comparison } = assertion
  const template = compiler.template(assertion.value)
  const pattern = comparison === 'matches' && typeof template === 'string' ? new RegExp(template) : null
  return (received: Received, expand: Expand): Seen => {
    const values = received.headersNamed(name)
    const wanted = comparison === 'exists' ? '' : expand(template)
    const holds: Record<typeof comparison, (value: string) => boolean> = {
      exists: () => true,
      equals: (value) => value === wanted,
      contains: (value) => value.includes(wanted),
      matches: (value) => (pattern ?? patternOf(wanted)).test(value),
    }
    return {
      holds: values.some(holds[comparison]),
      expected:
        comparison === 'exists'
          ? `a header ${name}`
          : `the header ${name} that ${comparison} ${quoted(wanted)}`,
      got: values.length === 0 ? 'none' : values.map(quoted).join(', '),
    }
  }
}

/** @throws ActionFailure where a variable made it none */
export function patternOf(text: string): RegExp {
  try {
    return new RegExp(text)
  } catch (error) {
    throw new ActionFailure(`${quoted(text)} is no regular expression.`, { cause: error })
  }
}

function isStatus(status: number | null, allowed: string): boolean {
  return allowed.endsWith('xx')
    ? Math.floor((status ?? 0) / 100) === Number(allowed[0])
    : status === Number(allowed)
}

function rangeWords(min: number | null, max: number | null): string {
  if (min !== null && max !== null) return `${min} to ${max} bytes`
  return max === null ? `at least ${min ?? 0} bytes` : `at most ${max} bytes`
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}
