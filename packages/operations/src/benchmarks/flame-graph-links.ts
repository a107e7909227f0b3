import { comparisonLink } from '@flamegate/contract'
import type { Run } from '../ports/index.ts'

interface Profiled {
  benchmark_id: string
  has_base_profile: boolean
  has_head_profile: boolean
}

const linksMax = 5

/** Links to the flame graphs of both runs as one, of the first benchmarks that were profiled in both; `nameOf` is markdown. */
export function flameGraphLinks<T extends Profiled>(
  { base, head }: { base: Run | undefined; head: Run },
  benchmarks: readonly T[],
  nameOf: (benchmark: T) => string,
  publicUrl: string,
): string[] {
  if (base === undefined) return []
  const links = benchmarks
    .filter((each) => each.has_base_profile && each.has_head_profile)
    .slice(0, linksMax)
    .map((each) => {
      const link = comparisonLink({ base: [base.id], head: [head.id], benchmark: each.benchmark_id })
      return `[${nameOf(each)}](${publicUrl}${link})`
    })
  return links.length === 0 ? [] : [`Both flame graphs as one: ${links.join(', ')}`]
}
