import type { AssertionDraft } from '../../import-draft.ts'
import { check, existenceCheck, negated, type Relation } from './check.ts'
import { argumentValue, checksOf, dotted, type Names, staticKey } from './evaluate.ts'
import type { Call, Node } from './syntax.ts'
import { memberPath, type Value } from './value.ts'

interface Step {
  name: string
  /** The arguments of a call; undefined for a word that is only passed. */
  called: Call | undefined
}

interface State {
  /** undefined: the response as a whole. */
  actual: Value | undefined
  isNegated: boolean
  checks: AssertionDraft[]
  note?: string
}

/** Words of Chai that only make it read well. */
const fillers = new Set(
  'to be been is that which and has have with at of same but does still also deep own any all'.split(' '),
)

const relations: ReadonlyMap<string, Relation> = new Map([
  ...pairs('equal equals eq eql eqls', 'equals'),
  ...pairs('include includes contain contains string', 'contains'),
  ...pairs('match matches', 'matches'),
  ...pairs('below lt lessThan', 'less'),
  ...pairs('most lte lessThanOrEqual', 'at_most'),
  ...pairs('above gt greaterThan', 'more'),
  ...pairs('least gte greaterThanOrEqual', 'at_least'),
  ...pairs('oneOf', 'one_of'),
])

/** True for values of one type only: RFC 9535 compares no others with < and >. */
const typeFilters: ReadonlyMap<string, string> = new Map([
  ['string', "@>=''"],
  ['number', '@<=0 || @>=0'],
  ['boolean', '@==true || @==false'],
  ['null', '@==null'],
])

/** What Postman says of a response by one word. */
const statuses: ReadonlyMap<string, string[]> = new Map([
  ['ok', ['200']],
  ['accepted', ['202']],
  ['badRequest', ['400']],
  ['unauthorized', ['401']],
  ['forbidden', ['403']],
  ['notFound', ['404']],
  ['rateLimited', ['429']],
  ['info', ['1xx']],
  ['success', ['2xx']],
  ['redirection', ['3xx']],
  ['clientError', ['4xx']],
  ['serverError', ['5xx']],
  ['error', ['4xx', '5xx']],
])

const reasons: ReadonlyMap<string, string> = new Map([
  ['OK', '200'],
  ['Created', '201'],
  ['Accepted', '202'],
  ['No Content', '204'],
  ['Moved Permanently', '301'],
  ['Found', '302'],
  ['Not Modified', '304'],
  ['Bad Request', '400'],
  ['Unauthorized', '401'],
  ['Forbidden', '403'],
  ['Not Found', '404'],
  ['Conflict', '409'],
  ['Unprocessable Entity', '422'],
  ['Too Many Requests', '429'],
  ['Internal Server Error', '500'],
])

/** `pm.expect(…).to…` and `pm.response.to…` as a condition; undefined for anything else, and for what we cannot say. */
export function expectation(node: Node, names: Names): Value | undefined {
  const chain = chainOf(node, names)
  if (chain === undefined) return undefined
  const state: State = { actual: chain.actual, isNegated: false, checks: [] }
  for (const step of chain.steps) if (!take(step, state, names)) return undefined
  return state.checks.length === 0
    ? undefined
    : { kind: 'condition', checks: state.checks, isNegated: false, ...(state.note && { note: state.note }) }
}

const stepsMax = 40

/** Follows a chain to its begin, and gives its words in the order in which they are read. */
function chainOf(node: Node, names: Names): { actual: Value | undefined; steps: Step[] } | undefined {
  const steps: Step[] = []
  let at = node
  let called: Step['called']
  while (steps.length < stepsMax) {
    if (dotted(at) === 'pm.response' && called === undefined)
      return steps.some(({ name }) => name === 'to') ? { actual: undefined, steps } : undefined
    if (at.type === 'CallExpression' || at.type === 'OptionalCallExpression') {
      const path = dotted(at.callee)
      if (path === 'pm.expect' || path === 'expect') {
        const actual = argumentValue(at, 0, names)
        return actual === undefined ? undefined : { actual, steps }
      }
      called = at
      at = at.callee
    } else if (at.type === 'MemberExpression' || at.type === 'OptionalMemberExpression') {
      const name = staticKey(at)
      if (typeof name !== 'string') return undefined
      steps.unshift({ name, called })
      called = undefined
      at = at.object
    } else return undefined
  }
  return undefined
}

/** Takes one word of a chain; false when it cannot be said. */
function take({ name, called }: Step, state: State, names: Names): boolean {
  if (called === undefined && fillers.has(name)) return true
  if (called === undefined && name === 'not') {
    state.isNegated = !state.isNegated
    return true
  }
  if (called === undefined && (name === 'nested' || name === 'a' || name === 'an')) return true
  const first = called && argumentValue(called, 0, names)
  const second = called && argumentValue(called, 1, names)
  const made =
    state.actual === undefined
      ? ofResponse(name, called !== undefined, first, second)
      : ofValue(name, called !== undefined, first, second, state)
  if (made === undefined) return false
  state.checks.push(...(state.isNegated ? made.map(negated) : made))
  return true
}

type Made = AssertionDraft[] | undefined
const one = (assertion: AssertionDraft | undefined): Made =>
  assertion === undefined ? undefined : [assertion]

function ofResponse(
  name: string,
  isCalled: boolean,
  first: Value | undefined,
  second: Value | undefined,
): Made {
  if (!isCalled) {
    const allowed = statuses.get(name)
    if (allowed !== undefined) return [{ type: 'status', allowed }]
    if (name === 'json')
      return [{ type: 'header', name: 'Content-Type', comparison: 'contains', value: 'json' }]
    return name === 'withBody' ? [{ type: 'size', min_bytes: 1 }] : undefined
  }
  const word = first?.kind === 'literal' && typeof first.value === 'string' ? first.value : undefined
  switch (name) {
    case 'status': {
      if (first === undefined) return undefined
      const code = word === undefined ? undefined : reasons.get(word)
      return one(
        check({ kind: 'status' }, 'equals', code === undefined ? first : { kind: 'literal', value: code }),
      )
    }
    case 'header':
      if (word === undefined) return undefined
      if (second === undefined) return one(existenceCheck({ kind: 'header', name: word }))
      return one(check({ kind: 'header', name: word }, 'equals', second))
    case 'body':
      if (first === undefined) return one(existenceCheck({ kind: 'body' }))
      return one(check({ kind: 'body' }, first.kind === 'pattern' ? 'matches' : 'equals', first))
    case 'jsonBody': {
      if (first === undefined) return one(existenceCheck({ kind: 'json', path: '$' }))
      if (word === undefined) return undefined
      const path = nestedPath('$', word)
      return one(
        second === undefined ? { type: 'json_path', path } : check({ kind: 'json', path }, 'equals', second),
      )
    }
    default:
      return undefined
  }
}

function ofValue(
  name: string,
  isCalled: boolean,
  first: Value | undefined,
  second: Value | undefined,
  state: State,
): Made {
  const actual = state.actual!
  if (!isCalled) return ofWord(name, actual, state)
  if (name === 'property' || name === 'key' || name === 'keys') {
    if (actual.kind !== 'json' || first === undefined) return undefined
    const keys = first.kind === 'list' ? first.values : first.kind === 'literal' ? [first.value] : []
    if (keys.length === 0 || keys.some((key) => typeof key !== 'string')) return undefined
    const paths = keys.map((key) => nestedPath(actual.path, String(key)))
    if (name !== 'property')
      return paths.length > 20 ? undefined : paths.map((path) => ({ type: 'json_path', path }))
    // What comes after it in the chain is said of the property.
    state.actual = { kind: 'json', path: paths[0]! }
    return one(second === undefined ? existenceCheck(state.actual) : check(state.actual, 'equals', second))
  }
  if (name === 'length' || name === 'lengthOf')
    return actual.kind === 'json' && first !== undefined
      ? one(check({ kind: 'length', path: actual.path }, 'equals', first))
      : undefined
  if (name === 'within') {
    if (first === undefined || second === undefined) return undefined
    const [from, to] = [check(actual, 'at_least', first), check(actual, 'at_most', second)]
    // Not to be within both is not to be outside of both.
    return from === undefined || to === undefined || state.isNegated ? undefined : [from, to]
  }
  if (name === 'a' || name === 'an') {
    if (actual.kind !== 'json' || first?.kind !== 'literal') return undefined
    const filter = actual.path === '$' ? undefined : typeFilters.get(String(first.value))
    if (filter !== undefined)
      return [{ type: 'json_path', path: `$[?${filter.replaceAll('@', () => actual.path)}]` }]
    if (state.isNegated) return undefined
    state.note = 'It is checked that the value is there, not of which type it is.'
    return one(existenceCheck(actual))
  }
  const relation = relations.get(name)
  if (relation === undefined || first === undefined) return undefined
  if (actual.kind === 'condition' && relation === 'equals' && first.kind === 'literal')
    return first.value === true ? checksOf(actual) : first.value === false ? negatedOnly(actual) : undefined
  return one(check(actual, relation, first))
}

function ofWord(name: string, actual: Value, state: State): Made {
  switch (name) {
    case 'ok':
    case 'exist':
      return checksOf(actual)
    case 'true':
      return actual.kind === 'json'
        ? one(check(actual, 'equals', { kind: 'literal', value: true }))
        : checksOf(actual)
    case 'false':
      return actual.kind === 'json'
        ? one(check(actual, 'equals', { kind: 'literal', value: false }))
        : negatedOnly(actual)
    case 'null':
      return actual.kind === 'json'
        ? one(check(actual, 'equals', { kind: 'literal', value: null }))
        : undefined
    case 'undefined':
      return negatedOnly(actual)
    case 'empty':
      if (actual.kind === 'body') return [{ type: 'size', max_bytes: 0 }]
      return actual.kind === 'json' && actual.path !== '$'
        ? [{ type: 'json_path', path: `$[?length(${actual.path})==0]` }]
        : undefined
    default:
      return state.checks.length > 0 && fillers.has(name) ? [] : undefined
  }
}

/** That something is not there, or not so. */
function negatedOnly(actual: Value): Made {
  const checks = checksOf(actual)
  return checks?.length === 1 ? checks.map(negated) : undefined
}

/** `items[0].name` as Lodash reads it. */
function nestedPath(path: string, text: string): string {
  let made = path
  for (const [, index, key] of text.matchAll(/\[(\d+)\]|([^.[\]]+)/g))
    made = memberPath(made, index === undefined ? key! : Number(index))
  return made
}

function pairs(words: string, relation: Relation): [string, Relation][] {
  return words.split(' ').map((word) => [word, relation])
}
