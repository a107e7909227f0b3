import { inputBytesMax, strangeNumbers, type Mutation } from './mutation.ts'
import type { Random } from './random.ts'

/** Changes of a file as text; a byte is a character, so that all others stay as they were. */
export function ofText(change: (text: string, random: Random, words: readonly string[]) => string): Mutation {
  return (bytes, random, { words }) => {
    const changed = change(Buffer.from(bytes).toString('latin1'), random, words)
    return Buffer.from(changed.slice(0, inputBytesMax), 'latin1')
  }
}

/** Changes of a list of lines, in place. */
function ofLines(change: (lines: string[], random: Random, words: readonly string[]) => void): Mutation {
  return ofText((text, random, words) => {
    const lines = text.split('\n')
    change(lines, random, words)
    return lines.join('\n')
  })
}

/** The match that follows a random place, or the first one. */
export function replaceOne(text: string, pattern: RegExp, random: Random, by: string): string {
  pattern.lastIndex = random.below(text.length)
  let match = pattern.exec(text)
  if (match === null) {
    pattern.lastIndex = 0
    match = pattern.exec(text)
  }
  return match === null ? text : text.slice(0, match.index) + by + text.slice(match.index + match[0].length)
}

const changeNumbers = ofText((text, random) => {
  let changed = text
  for (let times = 1 + random.mostlySmall(4); times > 0; times -= 1) {
    changed = replaceOne(changed, /-?\d+(?:\.\d+)?/g, random, random.pick(strangeNumbers))
  }
  return changed
})

/** One number becomes another one of the file, which makes ids, parents and references point elsewhere. */
const exchangeNumbers = ofText((text, random) => {
  const from = random.below(text.length)
  const [number = '0'] = /\d+/.exec(text.slice(from, from + 1000)) ?? []
  return replaceOne(text, /\d+/g, random, number)
})

const changeWord = ofText((text, random, words) =>
  replaceOne(text, /[A-Za-z_][\w.$-]*/g, random, random.pick(words)),
)

const longWord = ofText((text, random) =>
  replaceOne(
    text,
    /[\w.$-]+/g,
    random,
    random.pick(['a', '9', '(', '[', ' ', ';', '/', '<', '\\']).repeat(1 + random.mostlySmall(500_000)),
  ),
)

const strangeText = ofText((text, random) =>
  replaceOne(
    text,
    /[\w.$-]+/g,
    random,
    random.pick([
      '__proto__',
      'constructor',
      'hasOwnProperty',
      'toString',
      '',
      '\0',
      '\r',
      '\r\n',
      '\n\n',
      '\t',
      '%s',
      '\u00ff\u00fe',
      '"',
      "'",
      '{',
      '}',
      ';',
      ':',
      '->',
      '()',
    ]),
  ),
)

const swapLines = ofLines((lines, random) => {
  const [one, two] = [random.below(lines.length), random.below(lines.length)]
  ;[lines[one], lines[two]] = [lines[two] ?? '', lines[one] ?? '']
})

const removeLines = ofLines((lines, random) => {
  lines.splice(random.below(lines.length), 1 + random.mostlySmall(lines.length))
})

const repeatLines = ofText((text, random) => {
  const lines = text.split('\n')
  const from = random.below(lines.length)
  const part = `${lines.slice(from, from + 1 + random.mostlySmall(20)).join('\n')}\n`
  const times = 1 + random.mostlySmall(Math.ceil(300_000 / part.length))
  return [...lines.slice(0, from), part.repeat(times) + lines.slice(from).join('\n')].join('\n')
})

/** Each of many lines one step further in than the one before it, where depth is told by indentation. */
const deepLines = ofLines((lines, random) => {
  const from = random.below(lines.length)
  const [indent = ' '] = /^\s+/.exec(lines[from] ?? '') ?? []
  const line = (lines[from] ?? '').trimStart()
  const depth = random.pick([10, 200, 1000])
  const deep = Array.from({ length: depth }, (_, index) => indent.slice(0, 2).repeat(index) + line)
  lines.splice(from, 0, ...deep)
})

const changeIndentation = ofLines((lines, random) => {
  const at = random.below(lines.length)
  lines[at] =
    random.pick([' ', '\t', '  ', '']).repeat(random.mostlySmall(5000)) + (lines[at] ?? '').trimStart()
})

export const textMutations: readonly Mutation[] = [
  changeNumbers,
  changeNumbers,
  exchangeNumbers,
  exchangeNumbers,
  changeWord,
  longWord,
  strangeText,
  swapLines,
  removeLines,
  repeatLines,
  deepLines,
  changeIndentation,
]
