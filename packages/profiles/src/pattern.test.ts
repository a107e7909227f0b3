import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Pattern, PatternError } from './pattern.ts'

test.each<[pattern: string, matching: string[], other: string[]]>([
  ['json', ['encoding/json.Marshal'], ['JSON']],
  ['(?i)json', ['JSON.parse'], ['jason']],
  ['(?i)JSON.\\W?[P-Z]arse', ['JSON.parse', 'json.Parse'], ['JSON.carse']],
  ['^main\\.', ['main.run'], ['domain.run', 'mainArun']],
  ['a|bc|', ['', 'x'], []],
  ['^(a|bc)+$', ['abca'], ['', 'abb']],
  ['^[a-c_-]*[^0-9]\\d$', ['a-b_x1'], ['a-b_11']],
  ['^\\w+\\s\\S$', ['operator !'], ['operator  ']],
  ['^(?:std::)?.*<.*>$', ['std::vector<int>'], ['std::vector']],
  ['^a?b*c+?$', ['c', 'abbcc'], ['ab']],
])('%s', (pattern, matching, other) => {
  for (const text of matching) expect(text).toSatisfy((input: string) => new Pattern(pattern).test(input))
  for (const text of other) expect(text).not.toSatisfy((input: string) => new Pattern(pattern).test(input))
})

const pattern = fc
  .letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\.', ''),
      fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => a + b),
      fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(${a}|${b})`),
      fc.tuple(tie('pattern'), fc.constantFrom('*', '+', '?')).map(([a, mark]) => `(${a})${mark}`),
      tie('pattern').map((a) => `^${a}`),
      tie('pattern').map((a) => `${a}$`),
    ),
  }))
  .pattern.filter((source) => !/[\^$|(][*+?]/.test(source))

test('a pattern matches what the regular expression of JavaScript matches', () => {
  fc.assert(
    fc.property(
      pattern,
      fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.', '_'), maxLength: 8 }),
      (source, text) => {
        expect(new Pattern(source).test(text)).toBe(new RegExp(source).test(text))
      },
    ),
    { numRuns: 2000 },
  )
})

test('a pattern that takes others years takes milliseconds', () => {
  const start = process.threadCpuUsage()
  expect(new Pattern('^(a|aa)+(a*)*$').test(`${'a'.repeat(20_000)}b`)).toBe(false)
  expect(process.threadCpuUsage(start).user / 1000).toBeLessThan(1000)
})

test('a pattern that takes too long on all names together gives up', () => {
  const slow = new Pattern(`${'a?'.repeat(1900)}b$`)
  const name = 'a'.repeat(1000)
  expect(() => {
    for (let round = 0; round < 1000; round++) slow.test(name)
  }).toThrow(new PatternError('The pattern takes too long on this many names'))
})

test.each([
  ['(a', 'Pattern, character 3: missing ")"'],
  ['a)', 'Pattern, character 2: unexpected ")"'],
  ['*a', 'Pattern, character 1: nothing to repeat'],
  ['a{2}', 'Pattern, character 2: "{" must be escaped; counted repeats are not read'],
  ['[a', 'Pattern, character 3: missing "]"'],
  ['a\\', 'Pattern, character 3: nothing after "\\"'],
  ['\\bword', 'Pattern, character 3: "\\b" is not read'],
  ['(?=a)', 'Pattern, character 3: only "(" and "(?:" groups are read'],
  ['('.repeat(200), 'Pattern, character 101: nested too deep'],
  ['a'.repeat(5000), 'The pattern is longer than 4000 characters'],
])('%s is refused', (source, message) => {
  expect(() => new Pattern(source)).toThrow(new PatternError(message))
})
