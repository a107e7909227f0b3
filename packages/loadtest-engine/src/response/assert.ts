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
/** `isBrief`: of what holds, nobody wants the words. */
export type CompiledAssertion = (received: Received, expand: Expand, isBrief: boolean) => Asserted

/** Whether it holds, and the words for what was expected and what was seen, which most often nobody wants. */
interface Check {
  /** What it is compared with: filled in once, and empty where there is nothing to fill in. */
  template: CompiledTemplate
  holds: (received: Received, wanted: string) => boolean
  expected: (wanted: string) => string
  got: (received: Received) => string
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
  let check: Check
  try {
    check = compileCheck(assertion, compiler)
  } catch (error) {
    return () => fail(`the assertion cannot be read: ${wordsOf(error)}`)
  }
  const passed: Asserted = { id, outcome: 'passed', message: '' }
  return (received, expand, isBrief) => {
    try {
      const wanted = expand(check.template)
      const holds = check.holds(received, wanted)
      if (isBrief && holds !== negate) return passed
      const expected = check.expected(wanted)
      const words = `expected ${negate ? `not ${expected}` : expected}, got ${check.got(received)}`
      return holds === negate ? fail(words) : { id, outcome: 'passed', message: words }
    } catch (error) {
      if (error instanceof ActionFailure) return fail(error.message)
      throw error
    }
  }
}

function compileCheck(assertion: Assertion, compiler: Compiler): Check {
  switch (assertion.type) {
    case 'status':
      return {
        template: '',
        holds: ({ status }) => assertion.allowed.some((allowed) => isStatus(status, allowed)),
        expected: () => `status ${assertion.allowed.join(' or ')}`,
        got: ({ status }) => (status === null ? 'a message, which has none' : String(status)),
      }
    case 'body_contains': {
      const text = compiler.template(assertion.text)
      return {
        template: text,
        holds: (received, wanted) => received.text.includes(wanted),
        expected: (wanted) => `a body with ${quoted(wanted)} in it`,
        got: bodyWords,
      }
    }
    case 'body_equals': {
      const text = compiler.template(assertion.text)
      return {
        template: text,
        holds: (received, wanted) => received.text === wanted,
        expected: (wanted) => `the body ${quoted(wanted)}`,
        got: bodyWords,
      }
    }
    case 'body_matches': {
      const pattern = new RegExp(assertion.pattern, assertion.flags)
      return {
        template: '',
        holds: (received) => pattern.test(received.text),
        expected: () => `a body that matches ${assertion.pattern}`,
        got: bodyWords,
      }
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
      return {
        template: '',
        holds: ({ body }) =>
          body.length >= (assertion.min_bytes ?? 0) && body.length <= (assertion.max_bytes ?? Infinity),
        expected: () => `a body of ${rangeWords(assertion.min_bytes, assertion.max_bytes)}`,
        got: ({ body }) => `${body.length} bytes`,
      }
    default:
      return {
        template: '',
        holds: ({ durationMs }) => durationMs <= assertion.max_ms,
        expected: () => `an answer within ${assertion.max_ms} ms`,
        got: ({ durationMs }) => `one after ${Math.round(durationMs * 10) / 10} ms`,
      }
  }
}

function bodyWords(received: Received): string {
  return received.bodyWords
}

function compileValueCheck(what: string, find: FindValues, equals: string | null, compiler: Compiler): Check {
  return {
    template: equals === null ? '' : compiler.template(equals),
    holds: (received, wanted) => {
      const values = findOrFail(find, received, what)
      return equals === null ? values.length > 0 : values.includes(wanted)
    },
    expected: (wanted) => `${what} to ${equals === null ? 'find something' : `be ${quoted(wanted)}`}`,
    got: (received) => {
      const values = findOrFail(find, received, what)
      return values.length === 0
        ? `nothing in ${received.bodyWords}`
        : values.slice(0, 5).map(quoted).join(', ')
    },
  }
}

function compileHeaderCheck(assertion: Extract<Assertion, { type: 'header' }>, compiler: Compiler): Check {
  const { name, comparison } = assertion
  const template = compiler.template(assertion.value)
  const pattern = comparison === 'matches' && typeof template === 'string' ? new RegExp(template) : null
  const fits: Record<typeof comparison, (value: string, wanted: string) => boolean> = {
    exists: () => true,
    equals: (value, wanted) => value === wanted,
    contains: (value, wanted) => value.includes(wanted),
    matches: (value, wanted) => (pattern ?? patternOf(wanted)).test(value),
  }
  return {
    template: comparison === 'exists' ? '' : template,
    holds: (received, wanted) => received.headersNamed(name).some((value) => fits[comparison](value, wanted)),
    expected: (wanted) =>
      comparison === 'exists'
        ? `a header ${name}`
        : `the header ${name} that ${comparison} ${quoted(wanted)}`,
    got: (received) => {
      const values = received.headersNamed(name)
      return values.length === 0 ? 'none' : values.map(quoted).join(', ')
    },
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

/** `2xx` allows all of them. */
export function isStatus(status: number | null, allowed: string): boolean {
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
