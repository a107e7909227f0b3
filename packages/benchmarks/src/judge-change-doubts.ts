import type { EnvironmentDifference } from './compare-environments.ts'
import type { Judgement } from './judge-change.ts'
import { knownIssues } from './known-issues.ts'
import type { ResultPair } from './pair-results.ts'

/** Issues are looked for in so many benchmarks, those that changed most: more than anybody reads. */
const EXAMINED_MAX = 500

/**
 * Adds to the reasons what speaks against them without hiding them: to claims, that the environment differs in what
 * matters; to all but the unchanged, what is wrong with the results.
 * @param pairs the results of each judgement, in the same order
 */
export function withDoubts(
  judgements: readonly (Judgement | undefined)[],
  pairs: readonly ResultPair[],
  differences: readonly EnvironmentDifference[],
): (Judgement | undefined)[] {
  const doubt = doubtFrom(differences)
  const examined = new Set(worthExamining(judgements))
  return judgements.map((judgement, index) => {
    if (!judgement) return undefined
    const isClaim = judgement.verdict === 'improved' || judgement.verdict === 'regressed'
    const issues = examined.has(index) ? issuesOf(pairs[index]) : undefined
    const said = [isClaim ? doubt : undefined, issues].filter((sentence) => sentence !== undefined)
    if (said.length === 0) return judgement
    return { ...judgement, reason: [judgement.reason, ...said].join(' ') }
  })
}

function worthExamining(judgements: readonly (Judgement | undefined)[]): number[] {
  const sizes = judgements.flatMap((judgement, index) => {
    if (!judgement || judgement.verdict === 'unchanged' || judgement.verdict === 'incomparable') return []
    return { index, size: Math.abs(judgement.changePercent ?? 0) }
  })
  if (sizes.length <= EXAMINED_MAX) return sizes.map(({ index }) => index)
  return sizes
    .toSorted((a, b) => b.size - a.size)
    .slice(0, EXAMINED_MAX)
    .map(({ index }) => index)
}

function doubtFrom(differences: readonly EnvironmentDifference[]): string | undefined {
  const keys = differences.flatMap(({ key, weight }) => (weight === 'matters' ? key : []))
  if (keys.length === 0) return undefined
  const more = keys.length > 5 ? ` and ${keys.length - 5} more` : ''
  return `The environment differs (${keys.slice(0, 5).join(', ')}${more}), which may be the cause.`
}

function issuesOf({ base, head }: Partial<ResultPair> = {}): string | undefined {
  const ofBase = base ? knownIssues(base).map(({ title }) => title) : []
  const ofHead = head ? knownIssues(head).map(({ title }) => title) : []
  const titles = [...new Set([...ofBase, ...ofHead])].map((title) => {
    if (ofBase.includes(title) && ofHead.includes(title)) return `${title} in both`
    return `${title} in ${ofBase.includes(title) ? 'base' : 'head'}`
  })
  return titles.length === 0 ? undefined : `Known issues: ${titles.join(', ')}.`
}
