import { catalogue, type Operation } from '@flamegate/contract'
import { synonyms } from './tool-synonyms.ts'

/** Where a word is found says how much it counts. */
const weights = { name: 8, title: 5, synonym: 5, toolset: 3, description: 2 } as const
/** A word that only begins like the one that was asked for. */
const prefixFactor = 0.5
const prefixLengthMin = 4

/** Words that say nothing about which tool is meant. */
const fillers = new Set(
  'a an and any are as at be became become been by can could did do does for from get gets give got has have how i in is it its me my of on one or our please show tell that the them there these this to use want was we were what when where which who why will with would you your going doing need all'.split(
    ' ',
  ),
)

const tools = catalogue.filter((operation) => operation.mcp)
const index = indexOf(tools)
const vocabulary = [...index.keys()]

/**
 * The tools that fit a question, best first; all of them in the order of the catalogue when it has no words. A tool
 * that has more of the words comes before one that has one of them often.
 */
export function searchTools(question: string): readonly Operation[] {
  const named = new Set(question.match(/[a-z0-9_]+/g))
  const words = wordsOf(question)
  if (words.length === 0) return /[\p{L}\p{N}]/u.test(question) ? [] : tools
  const found = new Map<Operation, { score: number; words: number }>()
  for (const word of words) {
    for (const [tool, score] of scoresOf(word)) {
      const sum = found.get(tool) ?? { score: 0, words: 0 }
      found.set(tool, { score: sum.score + score, words: sum.words + 1 })
    }
  }
  // The sort is stable, so equal scores keep the order of the catalogue.
  return tools
    .map((tool) => ({ tool, rank: named.has(tool.id) ? Number.MAX_VALUE : rankOf(found.get(tool)) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ tool }) => tool)
}

function rankOf(found: { score: number; words: number } | undefined): number {
  return found === undefined ? 0 : found.score * found.words
}

function scoresOf(word: string): ReadonlyMap<Operation, number> {
  const exact = index.get(word)
  if (exact !== undefined || word.length < prefixLengthMin) return exact ?? new Map()
  const scores = new Map<Operation, number>()
  for (const known of vocabulary) {
    if (!known.startsWith(word)) continue
    for (const [tool, score] of index.get(known) ?? []) {
      scores.set(tool, Math.max(scores.get(tool) ?? 0, score * prefixFactor))
    }
  }
  return scores
}

/** Each word with the tools that have it, and how much it says for each: more where it stands among few words. */
function indexOf(operations: readonly Operation[]): Map<string, Map<Operation, number>> {
  const made = new Map<string, Map<Operation, number>>()
  for (const operation of operations) {
    const places: [text: string, weight: number][] = [
      [operation.description, weights.description],
      [operation.toolset, weights.toolset],
      [synonyms[operation.id] ?? '', weights.synonym],
      [operation.title, weights.title],
      [operation.id, weights.name],
    ]
    for (const [text, weight] of places) {
      const words = wordsOf(text)
      const share = weight / Math.sqrt(words.length)
      for (const word of words) {
        const scores = made.get(word) ?? new Map<Operation, number>()
        scores.set(operation, Math.max(scores.get(operation) ?? 0, share))
        made.set(word, scores)
      }
    }
  }
  // A word that few tools have says more than one that many have.
  for (const scores of made.values()) {
    const rarity = Math.log(1 + operations.length / scores.size)
    for (const [operation, score] of scores) scores.set(operation, score * rarity)
  }
  return made
}

/** Each once, in lower case, without fillers and endings: "flame graphs" and "flamegraph" have a word in common. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(words.filter((word) => !fillers.has(word)).map(stem))]
}

/** Without the endings of plural, past and participle; a rule of thumb, the same for tools and questions. */
function stem(word: string): string {
  if (word.length <= 4) return word
  const bare = word.replace(/(?:ies|ied)$/, 'y').replace(/(?:ing|ed|es|s|er|ion|ions|e)$/, '')
  return bare.length < 3 ? word : bare
}
