import { literal } from '../../../model/template.ts'
import type { AssertionDraft } from '../../import-draft.ts'
import { quoted, type Value } from './value.ts'

export type Relation = 'equals' | 'contains' | 'matches' | 'less' | 'at_most' | 'more' | 'at_least' | 'one_of'

type Scalar = string | number | boolean | null

/** The assertion that a value is so; undefined when none of ours says it. */
export function check(actual: Value, relation: Relation, expected: Value): AssertionDraft | undefined {
  switch (actual.kind) {
    case 'status':
      return statusCheck(relation, expected)
    case 'duration': {
      const max = numberOf(expected)
      return (relation === 'less' || relation === 'at_most') && max !== undefined && max > 0
        ? { type: 'duration', max_ms: max }
        : undefined
    }
    case 'size': {
      const bytes = numberOf(expected)
      if (bytes === undefined || !Number.isInteger(bytes) || bytes < 1) return undefined
      if (relation === 'less') return { type: 'size', max_bytes: bytes - 1 }
      if (relation === 'at_most') return { type: 'size', max_bytes: bytes }
      if (relation === 'more') return { type: 'size', min_bytes: bytes + 1 }
      return relation === 'at_least' ? { type: 'size', min_bytes: bytes } : undefined
    }
    case 'body':
      return textCheck(relation, expected, {
        equals: (text) => ({ type: 'body_equals', text }),
        contains: (text) => ({ type: 'body_contains', text }),
        matches: (pattern, flags) => ({ type: 'body_matches', pattern, flags }),
      })
    case 'header':
      return textCheck(relation, expected, {
        equals: (value) => ({ type: 'header', name: actual.name, comparison: 'equals', value }),
        contains: (value) => ({ type: 'header', name: actual.name, comparison: 'contains', value }),
        matches: (value, flags) =>
          flags === '' ? { type: 'header', name: actual.name, comparison: 'matches', value } : undefined,
      })
    case 'json':
      return jsonCheck(actual.path, relation, expected)
    case 'length': {
      const length = numberOf(expected)
      const operator = operators.get(relation)
      // The body itself may be an empty list, in which no filter finds anything.
      if (length === undefined || operator === undefined || actual.path === '$') return undefined
      return { type: 'json_path', path: `$[?length(${actual.path})${operator}${length}]` }
    }
    default:
      return undefined
  }
}

/** The assertion that there is something, or that something is true. */
export function existenceCheck(actual: Value): AssertionDraft | undefined {
  switch (actual.kind) {
    case 'json':
      return { type: 'json_path', path: actual.path }
    case 'header':
      return { type: 'header', name: actual.name, comparison: 'exists' }
    case 'cookie':
      return { type: 'header', name: 'Set-Cookie', comparison: 'contains', value: literal(`${actual.name}=`) }
    case 'body':
      return { type: 'size', min_bytes: 1 }
    case 'match':
    case 'group':
      return { type: 'body_matches', pattern: actual.source, flags: actual.flags }
    case 'length':
      return actual.path === '$' ? undefined : { type: 'json_path', path: `$[?length(${actual.path})>0]` }
    case 'condition':
      return actual.isNegated || actual.checks.length !== 1 ? undefined : actual.checks[0]
    default:
      return undefined
  }
}

export function negated(assertion: AssertionDraft): AssertionDraft {
  return { ...assertion, negate: !(assertion.negate ?? false) }
}

function statusCheck(relation: Relation, expected: Value): AssertionDraft | undefined {
  const codes = relation === 'one_of' && expected.kind === 'list' ? expected.values.map(String) : []
  const code = numberOf(expected)
  if (relation === 'equals' && code !== undefined) codes.push(String(code))
  if (codes.length > 0)
    return codes.length <= 50 && codes.every((each) => /^[1-5]\d\d$/.test(each))
      ? { type: 'status', allowed: codes }
      : undefined
  if (code === undefined) return undefined
  const below = relation === 'less' ? code : relation === 'at_most' ? code + 1 : undefined
  const from = relation === 'at_least' ? code : relation === 'more' ? code + 1 : undefined
  const border = below ?? from
  if (border === undefined || border % 100 !== 0) return undefined
  const allowed = ['1xx', '2xx', '3xx', '4xx', '5xx'].filter((each) =>
    below === undefined ? Number(each.charAt(0)) * 100 >= border : Number(each.charAt(0)) * 100 < border,
  )
  return allowed.length === 0 ? undefined : { type: 'status', allowed }
}

function textCheck(
  relation: Relation,
  expected: Value,
  make: {
    equals: (text: string) => AssertionDraft
    contains: (text: string) => AssertionDraft
    matches: (pattern: string, flags: string) => AssertionDraft | undefined
  },
): AssertionDraft | undefined {
  if (relation === 'matches')
    return expected.kind === 'pattern' ? make.matches(expected.source, expected.flags) : undefined
  const text = textOf(expected)
  if (text === undefined) return undefined
  if (relation === 'equals') return make.equals(text)
  return relation === 'contains' ? make.contains(text) : undefined
}

const operators: ReadonlyMap<Relation, string> = new Map([
  ['equals', '=='],
  ['less', '<'],
  ['at_most', '<='],
  ['more', '>'],
  ['at_least', '>='],
])

/** What equality cannot say is a filter over the members of the body, of which any is found when it holds. */
function jsonCheck(path: string, relation: Relation, expected: Value): AssertionDraft | undefined {
  if (relation === 'equals') {
    const text = textOf(expected)
    if (text !== undefined) return { type: 'json_path', path, equals: text }
    return expected.kind === 'literal' ? { type: 'json_path', path: `$[?${path}==null]` } : undefined
  }
  if (relation === 'one_of')
    return expected.kind === 'list' && expected.values.length > 0 && expected.values.length <= 50
      ? {
          type: 'json_path',
          path: `$[?${expected.values.map((value) => `${path}==${written(value)}`).join(' || ')}]`,
        }
      : undefined
  if (relation === 'contains') {
    if (expected.kind !== 'literal' || expected.value === null) return undefined
    const member = `${path}[?@==${written(expected.value)}]`
    if (typeof expected.value !== 'string') return { type: 'json_path', path: member }
    const pattern = expected.value.replaceAll(/[\\.*+?()[\]{}|^$]/g, '\\$&')
    return { type: 'json_path', path: `$[?search(${path},${quoted(pattern)}) || ${member}]` }
  }
  const limit = numberOf(expected)
  const operator = operators.get(relation)
  return limit === undefined || operator === undefined
    ? undefined
    : { type: 'json_path', path: `$[?${path}${operator}${limit}]` }
}

function written(value: Scalar): string {
  return typeof value === 'string' ? quoted(value) : String(value)
}

function numberOf(value: Value): number | undefined {
  if (value.kind !== 'literal' || typeof value.value === 'boolean' || value.value === null) return undefined
  const number = value.value === '' ? NaN : Number(value.value)
  return Number.isFinite(number) ? number : undefined
}

/** A scalar or template as a template; undefined for null and for what is no text. */
export function textOf(value: Value): string | undefined {
  if (value.kind === 'template') return value.text
  return value.kind === 'literal' && value.value !== null ? literal(String(value.value)) : undefined
}
