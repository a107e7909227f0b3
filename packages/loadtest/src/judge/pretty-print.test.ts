import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { prettyPrint } from './pretty-print.ts'

test('JSON gets lines, and its numbers keep their digits', () => {
  expect(prettyPrint('{"id":12345678901234567890,"a":[1.0,{}],"t":"x, \\"y\\""}', 'application/json')).toBe(
    [
      '{',
      '  "id": 12345678901234567890,',
      '  "a": [',
      '    1.0,',
      '    {}',
      '  ],',
      '  "t": "x, \\"y\\""',
      '}',
    ].join('\n'),
  )
})

test('of JSON only the white space is changed', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(JSON.parse(prettyPrint(json, 'application/problem+json'))).toEqual(JSON.parse(json))
    }),
  )
})

test('forms are decoded, a field in a line', () => {
  expect(prettyPrint('user=a%20b&token=x%3D', 'application/x-www-form-urlencoded')).toBe(
    'user = a b\ntoken = x=',
  )
})

test('HTML is indented by its tags', () => {
  expect(prettyPrint('<p>Hi <b>you</b><br></p><script>if (a < b) c()</script>', 'text/html')).toBe(
    ['<p>', '  Hi', '  <b>', '    you', '  </b>', '  <br>', '</p>', '<script>if (a < b) c()</script>'].join(
      '\n',
    ),
  )
})

test('anything else, and what is cut in the middle, is shown as it is', () => {
  expect(prettyPrint('a,b', 'text/csv')).toBe('a,b')
  expect(prettyPrint('{"a":[1,"b', 'application/json')).toContain('"a": [')
})

test('deep nesting does not grow by its square', () => {
  expect(prettyPrint('['.repeat(20_000), 'application/json').length).toBeLessThan(5_000_000)
  expect(prettyPrint('<a>'.repeat(20_000), 'text/html').length).toBeLessThan(5_000_000)
})

test.each(['\\"', '"', '<!--', '<script>', '<a ', '{"a":"'])(
  'two million characters of %s take no long',
  (piece) => {
    const body = piece.repeat(2_000_000 / piece.length)
    const before = process.threadCpuUsage()
    prettyPrint(body, 'application/json')
    prettyPrint(body, 'text/html')
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(10_000)
  },
)
