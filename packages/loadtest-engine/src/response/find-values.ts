import type { Extractor } from '@flamegate/loadtest'
import { valueAt } from '@flamegate/loadtest/running'
import { compile as compileSelector, selectAll } from 'css-select'
import { DomUtils } from 'htmlparser2'
import { JSONPathEnvironment } from 'json-p3'
import { ActionFailure } from '../action-failure.ts'
import type { Received } from './received.ts'
import type { JsonKeys } from './scan-json.ts'
import { compileXPath } from './xpath.ts'

/** All values in one answer, in their order. */
export type FindValues = (received: Received) => string[]

/** Values that one extractor finds, at most. */
const valuesMax = 10_000

type Part = Extract<Extractor, { type: 'regex' }>['part']

/**
 * Compiles where an extractor looks, once. Cookies are looked for by `Set-Cookie`.
 * @throws Error for a pattern, a path, a selector or an expression that is none
 */
export function compileFinder(extractor: Extractor): FindValues {
  const wanted = typeof extractor.match === 'number' ? Math.min(extractor.match, valuesMax) : valuesMax
  switch (extractor.type) {
    case 'regex': {
      const { part, group } = extractor
      if (extractor.match === 1) {
        const first = new RegExp(extractor.pattern, extractor.flags)
        return (received) => {
          const match = first.exec(partOf(received, part))
          return match === null ? [] : [match[group] ?? '']
        }
      }
      const pattern = new RegExp(extractor.pattern, `g${extractor.flags}`)
      return (received) =>
        firstOf(partOf(received, part).matchAll(pattern), (match) => match[group] ?? '', wanted)
    }
    case 'json_path':
      return compileJsonPath(extractor.path, wanted)
    case 'css':
      return compileCss(extractor.selector, extractor.attribute)
    case 'xpath':
      return compileXPath(extractor.expression)
    case 'boundaries':
      return (received) => between(partOf(received, extractor.part), extractor.left, extractor.right, wanted)
    case 'header':
      return (received) => received.headersNamed(extractor.name)
    default:
      return (received) =>
        received.headersNamed('set-cookie').flatMap((line) => {
          const [, name, value] = /^\s*([^=;]*?)\s*=\s*([^;]*?)\s*(?:;|$)/.exec(line) ?? []
          return name === extractor.name ? [value ?? ''] : []
        })
  }
}

/** RFC 9535. What is no text is given as JSON. At most `limit` values. */
export function compileJsonPath(path: string, limit = valuesMax): FindValues {
  const query = new JSONPathEnvironment().compile(path)
  const keys = plainKeys(path)
  if (keys !== undefined) return findByKeys(keys)
  return (received) =>
    firstOf(query.lazyQuery(received.json), ({ value, location }) => textOf(received, value, location), limit)
}

/** Members by name and elements by number, one after the other: most paths, and the ones that need no evaluation. */
const plainPath = /^\$(?:\.[A-Za-z_]\w*|\[(?:0|[1-9]\d{0,8})\])*$/

function plainKeys(path: string): (string | number)[] | undefined {
  return plainPath.test(path)
    ? Array.from(path.matchAll(/\.(\w+)|\[(\d+)\]/g), ([, name, index]) => name ?? Number(index))
    : undefined
}

/** Where a path leads that needs no evaluation, as `scanJson` takes it; undefined for others. */
export function jsonKeysOf(path: string): JsonKeys | undefined {
  return plainKeys(path)?.map((key) => (typeof key === 'string' ? Buffer.from(key) : key))
}

function findByKeys(keys: readonly (string | number)[]): FindValues {
  return (received) => {
    const value = valueAt(received.json, keys)
    return value === undefined ? [] : [textOf(received, value, keys)]
  }
}

/** Of what stands in an answer, with all digits of whole numbers that are too large for a number. */
function textOf(received: Received, value: unknown, keys: readonly (string | number)[]): string {
  if (typeof value === 'string') return value
  const isLarge = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
  const mayHoldLarge = typeof value === 'object' && value !== null
  return JSON.stringify(isLarge || mayHoldLarge ? valueAt(received.writtenJson, keys) : value)
}

function compileCss(selector: string, attribute: string | null): FindValues {
  const compiled = compileSelector(selector)
  return ({ document }) =>
    selectAll(compiled, document.children)
      .slice(0, valuesMax)
      .flatMap((element) => {
        if (attribute === null) return [DomUtils.textContent(element).trim()]
        const value = 'attribs' in element ? element.attribs[attribute.toLowerCase()] : undefined
        return value === undefined ? [] : [value]
      })
}

function between(text: string, left: string, right: string, limit: number): string[] {
  const found: string[] = []
  for (let from = 0; found.length < limit;) {
    const begin = text.indexOf(left, from)
    if (begin === -1) break
    const start = begin + left.length
    const end = right === '' ? text.length : text.indexOf(right, start)
    if (end === -1) break
    found.push(text.slice(start, end))
    // Without a left boundary there is only what stands at the beginning.
    if (left === '' || right === '') break
    from = end + right.length
  }
  return found
}

function partOf(received: Received, part: Part): string {
  switch (part) {
    case 'body':
      return received.text
    case 'headers':
      return received.headerText
    case 'url':
      return received.url
    default:
      return received.statusLine
  }
}

function firstOf<Item>(items: Iterable<Item>, valueOf: (item: Item) => string, limit: number): string[] {
  const values: string[] = []
  for (const item of items) {
    values.push(valueOf(item))
    if (values.length >= limit) break
  }
  return values
}

/** What was looked for, for messages. */
export function finderWords(extractor: Extractor): string {
  switch (extractor.type) {
    case 'regex':
      return `The pattern ${extractor.pattern}`
    case 'json_path':
      return `JSONPath ${extractor.path}`
    case 'css':
      return `The selector ${extractor.selector}${extractor.attribute === null ? '' : ` with ${extractor.attribute}`}`
    case 'xpath':
      return `XPath ${extractor.expression}`
    case 'boundaries':
      return `The text between ${JSON.stringify(extractor.left)} and ${JSON.stringify(extractor.right)}`
    case 'header':
      return `The header ${extractor.name}`
    default:
      return `The cookie ${extractor.name}`
  }
}

/** Where it was looked for, for messages. */
export function placeWords(extractor: Extractor, received: Received): string {
  if (extractor.type === 'header' || extractor.type === 'cookie')
    return `an answer with the headers ${[...new Set(received.headers.map(({ name }) => name))].join(', ') || '(none)'}`
  if ('part' in extractor && extractor.part !== 'body')
    return JSON.stringify(partOf(received, extractor.part).slice(0, 200))
  return received.bodyWords
}

/** Says of a finder what went wrong in it. */
export function findOrFail(find: FindValues, received: Received, what: string): string[] {
  try {
    return find(received)
  } catch (error) {
    if (error instanceof ActionFailure) throw new ActionFailure(`${what}: ${error.message}`, { cause: error })
    // A selector or a path that asks for more than fits on the stack.
    if (error instanceof RangeError || (error instanceof Error && error.name.startsWith('JSONPath')))
      throw new ActionFailure(`${what} could not be evaluated: ${error.message}`, { cause: error })
    throw error
  }
}
