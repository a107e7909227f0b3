import type { Mutation } from '../fuzzing/mutation.ts'
import type { Random } from '../fuzzing/random.ts'
import { ofText, replaceOne } from '../fuzzing/text-mutations.ts'

const depths = [3, 30, 190, 210, 2000, 50_000]

/** Something inside itself: `((((1))))`. */
function nested(random: Random): string {
  const depth = random.pick(depths)
  const [open, inside, close] = random.pick<readonly [string, string, string]>([
    ['(', '1', ')'],
    ['[', '1', ']'],
    ['{a:', '1', '}'],
    ['{"a":', '1', '}'],
    ['f(', '1', ')'],
    ['!', 'a', ''],
    ['-', '1', ''],
    ['await ', 'a', ''],
    ['not ', 'a', ''],
    ['`${', '1', '}`'],
    ['() => ', '1', ''],
    ['lambda: ', '1', ''],
    ['a ? ', '1', ' : 2'],
    ['{', ';', '}'],
    ['if (a) {', ';', '}'],
    ['if (a) ', ';', ' else '],
    ['async () => {', ';', '}'],
    ['function f() {', '', '}'],
    ['a[', '0', ']'],
    ['/(', 'a', ')/'],
    ['${', 'a', '}'],
    ['{{', 'a', '}}'],
    ['<a>', '', '</a>'],
    ['$(', 'a', ')'],
    ['&a [', '', ']'],
    ['- ', 'a', ''],
    ['? ', 'a', ''],
  ])
  return random.below(8) === 0 ? open.repeat(depth) : open.repeat(depth) + inside + close.repeat(depth)
}

/** Something long that is flat as it is written, and deep as it is parsed: `a + a + a`. */
function chained(random: Random): string {
  const link = random.pick([
    ' + a',
    '.b',
    '[0]',
    '()',
    '.locator("a")',
    '.nth(1)',
    ' && a',
    ', a',
    ' ?? a',
    '?.b',
    '; a',
    ' = a',
    '=> a',
    '`a`',
    '"a"',
    ' if a else b',
    '**a',
    '\nelif a: pass',
    '\nif (a) {} else',
    ' | a',
    ' \\\n',
    ' > a',
    '>>a',
  ])
  return `a${link.repeat(Math.min(random.pick(depths), Math.ceil(300_000 / link.length)))}`
}

function long(random: Random): string {
  return random
    .pick([
      'a',
      '9',
      '"',
      "'",
      '`',
      '\\',
      ' ',
      '\n',
      '/',
      '(',
      '#',
      '.',
      '${a}',
      '\\u0041',
      '\u00e4',
      '${',
      '}',
      '*',
      '%41',
      '&a=b',
    ])
    .repeat(1 + random.mostlySmall(300_000))
}

const somewhere = (made: (random: Random) => string): Mutation =>
  ofText((text, random) => {
    const at = random.below(text.length)
    return text.slice(0, at) + made(random) + text.slice(at)
  })

const inPlaceOfWord = (made: (random: Random) => string): Mutation =>
  ofText((text, random) => replaceOne(text, /[\w.$-]+/g, random, made(random)))

const inPlaceOfText = (made: (random: Random) => string): Mutation =>
  ofText((text, random) =>
    replaceOne(
      text,
      /(["'`])[^"'`\n]*\1/g,
      random,
      random.pick(['"', "'", '`', '']) + made(random) + random.pick(['"', "'", '`', '']),
    ),
  )

const statement = ofText((text, random) => {
  const lines = text.split('\n')
  const at = random.below(lines.length)
  const indent = /^\s*/.exec(lines[at] ?? '')?.[0] ?? ''
  const word = random.pick([
    'while (true) {}',
    'while True: pass',
    'for (;;) await page.click("a");',
    'for (const a of Array(1e9)) await page.click("a");',
    'for i in range(10**9): page.click("a")',
    'const f = () => f(); f();',
    'const big = "a".repeat(1e9);',
    'let s = "aaaaaaaaaa"; s = s + s; s = s + s;',
    'page.get_by_text("a" * 1000000000).click()',
    'await page.goto("javascript:alert(1)");',
    'await page.goto("http://169.254.169.254/");',
    'await page.setInputFiles("a", "../../etc/passwd");',
    'import fs from "fs"; fs.rmSync("/");',
    'eval("1")',
    'process.exit(1)',
    '__import__("os").system("a")',
    'await page.locator(page.locator(page)).click({ a: [,,], ...b });',
    'class A { #b = 1; static { } }',
    'label: { break label }',
    'with (a) {}',
    'return',
    'yield',
    '<!-- a',
    '#!/bin/sh',
    'a: &a [*a, *a]',
    '<<: *order',
    '$ref: "#/components/schemas/order"',
    '%YAML 1.1',
    '--- !!js/function "a"',
    '? [a]: b',
    '\t- a',
    '<html>',
  ])
  lines.splice(at, random.below(2), indent + word)
  return lines.join('\n')
})

/** Each of a list of names is a list of the one before it, as in a bomb of YAML. */
const aliasBomb: Mutation = ofText((text, random) => {
  const width = random.pick([2, 9, 40])
  const levels = random.pick([3, 9, 25])
  const bomb = Array.from(
    { length: levels },
    (_, level) =>
      `x-b${level}: &b${level} [${level === 0 ? 'a' : Array.from({ length: width }, () => `*b${level - 1}`).join(',')}]`,
  )
  const lines = text.split('\n')
  lines.splice(random.below(2) === 0 ? lines.length : 1, 0, ...bomb)
  return lines.join('\n')
})

export const scriptMutations: readonly Mutation[] = [
  somewhere(nested),
  inPlaceOfWord(nested),
  inPlaceOfText(nested),
  somewhere(chained),
  inPlaceOfWord(chained),
  inPlaceOfText(chained),
  somewhere(long),
  inPlaceOfWord(long),
  inPlaceOfText(long),
  statement,
  statement,
  statement,
]

export const yamlMutations: readonly Mutation[] = [...scriptMutations, aliasBomb, aliasBomb]
