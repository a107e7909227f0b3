import { escapeRegex } from '../../text/escape-regex.ts'
import { type Assertion, assertion } from '../../model/assertion.ts'
import { literal } from '../../model/template.ts'
import { jsonPath } from './extractors.ts'
import { flagOf, itemsOf, type JmxElement, numberOf, textOf } from './jmx-element.ts'
import { readRegex, unescapeRegex } from './regex.ts'
import { noteOf, type Work } from './work.ts'

type Draft = Record<string, unknown> & { type: Assertion['type'] }

const stringsMax = 200

/** What an assertion of JMeter asks of a response. Throws a SourceError where it asks too much. */
export function readAssertions(work: Work, element: JmxElement): Assertion[] {
  const read = readers[element.type]
  if (read === undefined) return []
  const scope = textOf(element.properties, 'Assertion.scope')
  if (scope === 'variable') {
    work.fates.note(element, 'It looks at a variable; only responses can be asked.')
    return []
  }
  if (scope === 'all' || scope === 'children')
    work.fates.note(
      element,
      'It looks at the answer of the request itself, not at those of what is embedded.',
    )
  return read(work, element).flatMap((draft) => {
    const completed = { enabled: element.isEnabled, ...draft, id: work.context.newId('action') }
    const parsed = assertion.safeParse(completed)
    if (!parsed.success) work.fates.note(element, 'It is not complete, or asks for more than can be asked.')
    return parsed.success ? [parsed.data] : []
  })
}

const readers: Readonly<Record<string, (work: Work, element: JmxElement) => Draft[]>> = {
  ResponseAssertion: readResponseAssertion,
  DurationAssertion: (work, element) => {
    const text = textOf(element.properties, 'DurationAssertion.duration')
    const maxMs = numberOf(work.texts.plain(text, noteOf(work, element)))
    // 0 means that there is no limit.
    return maxMs === undefined
      ? []
      : [{ type: 'duration', max_ms: maxMs, enabled: element.isEnabled && maxMs > 0 }]
  },
  SizeAssertion: (work, element) => {
    const note = noteOf(work, element)
    const bytes = numberOf(work.texts.plain(textOf(element.properties, 'SizeAssertion.size'), note))
    const field = textOf(element.properties, 'Assertion.test_field')
    if (field !== '' && field !== 'SizeAssertion.response_data')
      note('It is the size of the body that is measured.')
    const limits =
      bytes === undefined
        ? undefined
        : sizes(bytes)[Number(textOf(element.properties, 'SizeAssertion.operator'))]
    return limits === undefined ? [] : [{ type: 'size', ...limits }]
  },
  JSONPathAssertion: (work, element) => {
    const note = noteOf(work, element)
    const text = (name: string) => textOf(element.properties, name)
    const flag = (name: string) => flagOf(element.properties, name) === true
    const path = jsonPath(work.texts.plain(text('JSON_PATH'), note).trim(), note)
    const isRegex = flag('ISREGEX') && flag('JSONVALIDATION') && !flag('EXPECT_NULL')
    const expected = isRegex ? unescapeRegex(text('EXPECTED_VALUE')) : text('EXPECTED_VALUE')
    if (expected === undefined)
      note('A value cannot be compared with a regular expression: it is enough that there is one.')
    const equals = flag('EXPECT_NULL')
      ? 'null'
      : expected === undefined
        ? null
        : work.texts.template(expected, note)
    return [
      {
        type: 'json_path',
        path: path.text,
        equals: flag('JSONVALIDATION') ? equals : null,
        negate: flag('INVERT'),
        enabled: element.isEnabled && path.isValid,
      },
    ]
  },
  XPathAssertion: readXpathAssertion,
  XPath2Assertion: (work, element) => {
    work.fates.note(element, 'XPath 1.0 reads it: what only XPath 2 and 3 know has to be written anew.')
    return readXpathAssertion(work, element)
  },
}

function readXpathAssertion(work: Work, element: JmxElement): Draft[] {
  const expression = work.texts.plain(textOf(element.properties, 'XPath.xpath'), noteOf(work, element))
  return [{ type: 'xpath', expression, negate: flagOf(element.properties, 'XPath.negate') === true }]
}

/** By JMeter's number of the comparison. */
function sizes(
  bytes: number,
): Record<number, { min_bytes: number | null; max_bytes: number | null; negate?: boolean }> {
  return {
    1: { min_bytes: bytes, max_bytes: bytes },
    2: { min_bytes: bytes, max_bytes: bytes, negate: true },
    3: { min_bytes: bytes + 1, max_bytes: null },
    4: { min_bytes: null, max_bytes: Math.max(0, bytes - 1) },
    5: { min_bytes: bytes, max_bytes: null },
    6: { min_bytes: null, max_bytes: bytes },
  }
}

interface Question {
  strings: string[]
  comparison: 'matches' | 'contains' | 'equals' | 'substring'
  negate: boolean
  isAnyEnough: boolean
  message: string | null
}

function readResponseAssertion(work: Work, element: JmxElement): Draft[] {
  const note = noteOf(work, element)
  const type = Number(textOf(element.properties, 'Assertion.test_type')) || 0
  // The name of the collection is misspelled in JMeter too.
  const strings = itemsOf(element, 'Asserion.test_strings', stringsMax).map(({ text }) => text)
  const message = textOf(element.properties, 'Assertion.custom_message')
  const question: Question = {
    strings,
    comparison: type & 8 ? 'equals' : type & 16 ? 'substring' : type & 1 ? 'matches' : 'contains',
    negate: (type & 4) !== 0,
    isAnyEnough: (type & 32) !== 0 && strings.length > 1,
    message: message === '' ? null : message.slice(0, 500),
  }
  const field = textOf(element.properties, 'Assertion.test_field').replace(/^Assertion\./, '')
  const isStatusIgnored = flagOf(element.properties, 'Assertion.assume_success') === true
  const drafts = ask(work, element, field, question)
  if (strings.length === 0) note('It has no patterns.')
  if (!isStatusIgnored || field === 'response_code') return drafts
  return [{ type: 'status', allowed: ['1xx', '2xx', '3xx', '4xx', '5xx'] }, ...drafts]
}

function ask(work: Work, element: JmxElement, field: string, question: Question): Draft[] {
  const note = noteOf(work, element)
  switch (field) {
    case 'response_code':
      return askStatus(work, element, question)
    case 'response_data_as_document':
      note('The body is looked at as it is, not as a document.')
      return askBody(work, element, question)
    case '':
    case 'response_data':
      return askBody(work, element, question)
    case 'response_headers':
      return askHeaders(work, element, question)
    default:
      note(`Of ${field.slice(0, 100)} nothing can be asked.`)
      return []
  }
}

function askBody(work: Work, element: JmxElement, question: Question): Draft[] {
  const note = noteOf(work, element)
  const { strings, comparison, negate, isAnyEnough, message } = question
  if (isAnyEnough && strings.length > 1) {
    if (negate) note('That one of several texts is missing cannot be asked: it is disabled.')
    const patterns = strings.map((text) =>
      comparison === 'substring' || comparison === 'equals'
        ? escapeRegex(work.texts.plain(text, note))
        : text,
    )
    const isWhole = comparison === 'equals' || comparison === 'matches'
    const pattern = isWhole ? `^(?:${patterns.join('|')})$` : patterns.join('|')
    const regex = bodyMatches(work, element, pattern)
    return [{ ...regex, negate, message, ...(negate ? { enabled: false } : {}) }]
  }
  return strings.map((text) => {
    if (comparison === 'substring')
      return { type: 'body_contains', text: work.texts.template(text, note), negate, message }
    if (comparison === 'equals')
      return { type: 'body_equals', text: work.texts.template(text, note), negate, message }
    return { ...bodyMatches(work, element, comparison === 'matches' ? whole(text) : text), negate, message }
  })
}

function whole(pattern: string): string {
  const flags = /^\(\?[ims]+\)/.exec(pattern)?.[0] ?? ''
  return `${flags}^(?:${pattern.slice(flags.length)})$`
}

function bodyMatches(work: Work, element: JmxElement, source: string): Draft {
  const note = noteOf(work, element)
  const { pattern, flags, isValid } = readRegex(work.texts.plain(source, note))
  if (!isValid) note('Its regular expression is not one of JavaScript: write it anew and enable it.')
  return { type: 'body_matches', pattern, flags, enabled: element.isEnabled && isValid }
}

const codes = Array.from({ length: 500 }, (_, index) => String(index + 100))

function askStatus(work: Work, element: JmxElement, question: Question): Draft[] {
  const note = noteOf(work, element)
  const { strings, comparison, negate, isAnyEnough, message } = question
  const each = strings.map((text) => codesOf(work.texts.plain(text, note).trim(), comparison))
  const all = [...new Set(each.flat())]
  const common = all.filter((code) => each.every((one) => one.includes(code)))
  const isUnion = isAnyEnough !== negate || strings.length === 1
  if (isAnyEnough && negate) note('That one of several codes did not come is asked as: none of them came.')
  const allowed = isUnion || common.length === 0 ? all : common
  if (!isUnion && common.length === 0) note('No code is all of these at once: any of them will do.')
  if (allowed.length === 0) {
    note('No status is meant by it.')
    return []
  }
  return [{ type: 'status', allowed: hundreds(allowed).slice(0, 50), negate, message }]
}

function codesOf(text: string, comparison: Question['comparison']): string[] {
  if (comparison === 'equals' || /^[1-5]\d\d$/.test(text)) return codes.filter((code) => code === text)
  if (comparison === 'substring') return codes.filter((code) => code.includes(text))
  const { pattern, flags, isValid } = readRegex(text)
  // A code has three digits: what looks for them longer than that is no pattern of a code.
  if (!isValid || pattern.length > 100) return []
  const regex = new RegExp(comparison === 'matches' ? `^(?:${pattern})$` : pattern, flags)
  return codes.filter((code) => regex.test(code))
}

/** All of 200 to 299 are 2xx; the order stays. */
function hundreds(allowed: readonly string[]): string[] {
  const full = new Set(
    ['1', '2', '3', '4', '5'].filter(
      (digit) => allowed.filter((code) => code.startsWith(digit)).length === 100,
    ),
  )
  return [...new Set(allowed.map((code) => (full.has(code[0]!) ? `${code[0]!}xx` : code)))]
}

/** Patterns that ask for one header, as they are written for it. */
export const headerQuestions = {
  exists: (name: string) => `^${escapeRegex(name)}:`,
  equals: (name: string, value: string) => `^${escapeRegex(name)}:[ \\t]*${escapeRegex(value)}[ \\t]*$`,
  contains: (name: string, value: string) => `^${escapeRegex(name)}:.*${escapeRegex(value)}`,
  matches: (name: string, value: string) => `^${escapeRegex(name)}:.*(?:${value})`,
}

function askHeaders(work: Work, element: JmxElement, question: Question): Draft[] {
  const note = noteOf(work, element)
  const { strings, comparison, negate, isAnyEnough, message } = question
  if (isAnyEnough && strings.length > 1) note('That any of several headers is there is asked as: all are.')
  return strings.flatMap((text): Draft[] => {
    const header =
      comparison === 'contains' ? ofHeaderRegex(text) : ofHeaderLine(work.texts.plain(text, note))
    if (header === undefined) {
      note(`${text.slice(0, 100)} names no header to look at: write it as Name: value.`)
      return []
    }
    return [{ type: 'header', ...header, negate, message }]
  })
}

type HeaderQuestion = {
  name: string
  comparison: 'exists' | 'equals' | 'contains' | 'matches'
  value: string
}

function ofHeaderLine(line: string): HeaderQuestion | undefined {
  const [, name, value = ''] = /^\s*([\w!#$%&'*+.^`|~-]{1,200}):[ \t]*(.*)$/.exec(line) ?? []
  return name === undefined
    ? undefined
    : { name, comparison: value === '' ? 'exists' : 'contains', value: literal(value) }
}

function ofHeaderRegex(source: string): HeaderQuestion | undefined {
  if (source.length > 4000) return undefined
  const { pattern, flags } = readRegex(source)
  const found = /^\^(.+?):(?:(\[ \\t\]\*)(.+)\[ \\t\]\*\$|\.\*\(\?:([^]+)\)|\.\*(.+))?$/.exec(pattern)
  if (found === null || flags !== 'im') {
    const line = unescapeRegex(pattern)
    return line === undefined ? undefined : ofHeaderLine(line)
  }
  const [, escapedName = '', , equals, matches, contains] = found
  const name = unescapeRegex(escapedName)
  if (name === undefined) return undefined
  if (matches !== undefined) return { name, comparison: 'matches', value: literal(matches) }
  const value = unescapeRegex(equals ?? contains ?? '')
  if (value === undefined) return undefined
  const comparison = equals !== undefined ? 'equals' : contains !== undefined ? 'contains' : 'exists'
  return { name, comparison, value: literal(value) }
}
