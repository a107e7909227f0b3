import { headerQuestions } from '../../import/jmx/assertions.ts'
import type { Assertion } from '../../model/assertion.ts'
import { withFlags } from './extractors.ts'
import { collection, property, type TestElement, testElement } from './jmx-writer.ts'
import { plain, toJmeter, type Work } from './work.ts'

const text = (name: string, value: string) => property('string', name, value)
const flag = (name: string, value: boolean) => property('bool', name, value)

const contains = 2
const not = 4
const equals = 8
const substring = 16
const any = 32
const matches = 1

export function toAssertion(work: Work, assertion: Assertion, note: (text: string) => void): TestElement[] {
  return written(work, assertion, note).map((element) => ({ ...element, isEnabled: assertion.enabled }))
}

function written(work: Work, assertion: Assertion, note: (text: string) => void): TestElement[] {
  const name = assertion.message ?? ''
  switch (assertion.type) {
    case 'status':
      return [status(assertion)]
    case 'body_contains':
      return [response(assertion, 'response_data', substring, [toJmeter(work, assertion.text)])]
    case 'body_equals':
      return [response(assertion, 'response_data', equals, [toJmeter(work, assertion.text)])]
    case 'body_matches':
      return [
        response(assertion, 'response_data', contains, [
          plain(withFlags(assertion.pattern, assertion.flags)),
        ]),
      ]
    case 'header':
      return [header(assertion, note)]
    case 'json_path':
      return [
        testElement('JSONPathAssertion', 'JSONPathAssertionGui', name || 'JSON Assertion', [
          text('JSON_PATH', plain(assertion.path)),
          text('EXPECTED_VALUE', toJmeter(work, assertion.equals ?? '')),
          flag('JSONVALIDATION', assertion.equals !== null),
          flag('EXPECT_NULL', false),
          flag('INVERT', assertion.negate),
          flag('ISREGEX', false),
        ]),
      ]
    case 'xpath':
      if (assertion.equals !== null) note('JMeter asks whether its XPath finds something, not what.')
      return [
        testElement('XPathAssertion', 'XPathAssertionGui', name || 'XPath Assertion', [
          flag('XPath.negate', assertion.negate),
          text('XPath.xpath', plain(assertion.expression)),
          flag('XPath.validate', false),
          flag('XPath.whitespace', false),
          flag('XPath.tolerant', true),
          flag('XPath.namespace', false),
        ]),
      ]
    case 'size':
      return size(assertion, note)
    default:
      if (assertion.negate) note('JMeter cannot ask that a response takes longer: the assertion is left out.')
      return assertion.negate
        ? []
        : [
            testElement('DurationAssertion', 'DurationAssertionGui', name || 'Duration Assertion', [
              text('DurationAssertion.duration', String(assertion.max_ms)),
            ]),
          ]
  }
}

function response(
  { negate, message }: Pick<Assertion, 'negate' | 'message'>,
  field: string,
  comparison: number,
  strings: readonly string[],
): TestElement {
  // Several strings: any of them, or none of them.
  const combined = strings.length > 1 && !negate ? any : 0
  return testElement('ResponseAssertion', 'AssertionGui', message ?? 'Response Assertion', [
    collection(
      'Asserion.test_strings',
      strings.map((string, index) => text(String(index), string)),
    ),
    text('Assertion.custom_message', message ?? ''),
    text('Assertion.test_field', `Assertion.${field}`),
    // The status alone fails a sampler of JMeter, if this does not say that it is asked for here.
    flag('Assertion.assume_success', field === 'response_code'),
    property('int', 'Assertion.test_type', comparison + combined + (negate ? not : 0)),
  ])
}

function status(assertion: Extract<Assertion, { type: 'status' }>): TestElement {
  const areExact = assertion.allowed.every((code) => !code.endsWith('xx'))
  if (areExact) return response(assertion, 'response_code', equals, assertion.allowed)
  const patterns = assertion.allowed.map((code) => code.replace('xx', String.raw`\d\d`))
  return response(assertion, 'response_code', matches, patterns)
}

function header(
  assertion: Extract<Assertion, { type: 'header' }>,
  note: (text: string) => void,
): TestElement {
  const { name, comparison, value } = assertion
  if (value.includes('${')) note('The value of a variable is taken for a regular expression.')
  const pattern = headerQuestions[comparison](name, value)
  return response(assertion, 'response_headers', contains, [`(?im)${pattern}`])
}

function size(
  { negate, message, min_bytes: min, max_bytes: max }: Extract<Assertion, { type: 'size' }>,
  note: (text: string) => void,
): TestElement[] {
  const one = (bytes: number, operator: number) =>
    testElement('SizeAssertion', 'SizeAssertionGui', message ?? 'Size Assertion', [
      text('Assertion.test_field', 'SizeAssertion.response_data'),
      text('SizeAssertion.size', String(bytes)),
      property('int', 'SizeAssertion.operator', operator),
    ])
  if (min !== null && min === max) return [one(min, negate ? 2 : 1)]
  if (negate && min !== null && max !== null) {
    note('JMeter cannot ask that a size is outside of two limits: the assertion is left out.')
    return []
  }
  return [
    ...(min === null ? [] : [one(min, negate ? 4 : 5)]),
    ...(max === null ? [] : [one(max, negate ? 3 : 6)]),
  ]
}
