import { strangeNumbers } from '../fuzzing/mutation.ts'
import type { Random } from '../fuzzing/random.ts'
import { Verbatim } from './written-json.ts'

/** A key that no answer may ever have: it would have come from a prototype. */
export const pollutedKey = 'flamegatePolluted'

const strangeTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202eevil\u2066',
  '\ufeff',
  '\u0085\u2028\u2029',
  '\r\nset-cookie: a=b',
  '👩‍👩‍👧‍👦'.repeat(40),
  'ſtraße İ ı ß ﬃ',
  '\u0301'.repeat(500),
  "'; DROP TABLE runs; --",
  "' OR 1=1 --",
  '\\',
  '%',
  '_%\\%',
  '$1',
  '%s%n%x',
  '${7*7}{{7*7}}<%= 7 %>',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '..%2f..%2fetc',
  'C:\\con',
  'file:///etc/passwd',
  'http://127.0.0.1:1/',
  'javascript:alert(1)',
  '(a+)+$',
  '[',
  '((((((((((',
  '(?<a>.)\\k<a>',
  '-1',
  '1e999',
  'NaN',
  'null',
  'true',
  'undefined',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '0000-00-00T00:00:00Z',
  '2026-02-30T25:61:61Z',
  '-271821-04-20T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '2026-11-23T10:00:00+99:99',
  '* * * * *',
  '0 0 30 2 *',
  'prj_00000000000000000000000000',
  'run_',
  'PRJ_00000000000000000000000000',
] as const

const strangeKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'length',
  '',
  '$ref',
  'a.b',
  '0',
  '\u0000',
] as const

export function strangeText(random: Random): string {
  const roll = random.below(200)
  if (roll === 0) return 'x'.repeat(1 + random.mostlySmall(3_000_000))
  if (roll < 6)
    return random.pick(['é', 'a', '\t', '𝔘', '0', '/', ';']).repeat(1 + random.mostlySmall(100_000))
  return random.pick(strangeTexts)
}

export function strangeKey(random: Random): string {
  return random.pick(strangeKeys)
}

export function strangeNumber(random: Random): Verbatim {
  return new Verbatim(random.pick(strangeNumbers))
}

/** What sets a property of every object where somebody copies it carelessly. */
export function pollution(random: Random): Verbatim {
  return new Verbatim(
    random.pick([
      `{"__proto__":{"${pollutedKey}":1}}`,
      `{"constructor":{"prototype":{"${pollutedKey}":1}}}`,
      `[{"__proto__":{"${pollutedKey}":1}}]`,
    ]),
  )
}

function nested(random: Random): Verbatim {
  const depth = random.pick([3, 50, 500, 5_000, 50_000])
  return new Verbatim(
    random.below(2) === 0
      ? '['.repeat(depth) + ']'.repeat(depth)
      : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
  )
}

/** Of any type. */
export function strangeValue(random: Random): unknown {
  switch (random.below(11)) {
    case 0:
      return null
    case 1:
      return random.below(2) === 0
    case 2:
      return random.pick<unknown>([[], [[]], [null], [1, '1'], Array.from({ length: 5_000 }, () => 'a')])
    case 3:
      return random.pick<unknown>([{}, { a: 1 }, { length: 2 ** 31 }, { toString: 1, valueOf: 1, toJSON: 1 }])
    case 4:
      return nested(random)
    case 5:
      return pollution(random)
    case 6:
    case 7:
      return strangeNumber(random)
    default:
      return strangeText(random)
  }
}
