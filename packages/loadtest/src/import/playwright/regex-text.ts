import type { Regex } from './values.ts'

const charactersMax = 1000

/** A plain text for a regular expression. */
interface RegexText {
  text: string
  /** `^…$`: nothing may stand around it. */
  isWhole: boolean
  /** Whether a text says all that the expression does, but for upper and lower case. */
  isSame: boolean
}

/** The longest plain text that whatever a regular expression finds has in it; undefined where there is none. */
export function textOfRegex({ source }: Regex): RegexText | undefined {
  if (source.length > charactersMax) return undefined
  const isStarted = source.startsWith('^')
  const isEnded = /(?:^|[^\\])(?:\\\\)*\$$/.test(source)
  const inner = source.slice(isStarted ? 1 : 0, isEnded ? -1 : undefined)
  const runs = plainRuns(inner)
  if (runs === undefined) return undefined
  const text = runs.toSorted((a, b) => b.length - a.length)[0]?.trim() ?? ''
  if (text === '') return undefined
  // With one anchor only, more may stand at the other end.
  const isSame = runs.length === 1 && isStarted === isEnded
  return { text, isWhole: isSame && isStarted, isSame }
}

const tokens =
  /\\(?<escaped>[^a-zA-Z0-9])|(?<space>\\s[+*]?)|(?<quantifier>[*?]|\{\d[\d,]*\})|(?<group>[()])|(?<other>\\.|\[(?:\\.|[^\]\\])*\]|[.+|^$[\]{}])|(?<plain>[^])/gu

/** The stretches of an expression that are plain text; undefined where alternatives make none of them certain. */
function plainRuns(source: string): string[] | undefined {
  const runs = ['']
  let depth = 0
  for (const { groups = {} } of source.matchAll(tokens)) {
    const { escaped, space, quantifier, group, other, plain } = groups
    if (other === '|' && depth === 0) return undefined
    if (group !== undefined) depth += group === '(' ? 1 : -1
    const letter = escaped ?? plain ?? (space === undefined ? undefined : ' ')
    if (letter !== undefined && depth === 0) {
      runs[runs.length - 1] += letter
      continue
    }
    // What may be missing is not certain.
    if (quantifier !== undefined && depth === 0) runs[runs.length - 1] = runs.at(-1)!.slice(0, -1)
    runs.push('')
  }
  const isOneRun = runs.length === 1
  return isOneRun ? runs : [...runs.filter((run) => run !== ''), '']
}
