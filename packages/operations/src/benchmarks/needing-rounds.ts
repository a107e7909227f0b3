import { benchmarkKey, type CompareOptions } from '@flamegate/benchmarks'
import type { Result } from '../ports/index.ts'

/**
 * Ids of the benchmarks whose rounds have a say in the comparison of two runs: those that may have changed, and those whose
 * spread nothing else tells. A run of ten thousand has a hundred of them, and rounds are most of what it stores.
 */
export function needingRounds(
  base: readonly Result[],
  head: readonly Result[],
  { thresholdPercent = 5, thresholdPercents }: Pick<CompareOptions, 'thresholdPercent' | 'thresholdPercents'>,
): string[] {
  const before = new Map(base.map((result) => [result.benchmarkId, result]))
  return head.flatMap((result) => {
    const other = before.get(result.benchmarkId)
    if (other === undefined) return []
    const own = thresholdPercents?.size ? thresholdPercents.get(benchmarkKey(result)) : undefined
    // Half of the threshold, because the middle of the rounds may lie elsewhere than the value does.
    const least = Math.log1p((own ?? thresholdPercent) / 200)
    const isFar = !(Math.abs(Math.log(result.value / other.value)) < least)
    return isFar || !tellsSpread(result) || !tellsSpread(other) ? result.benchmarkId : []
  })
}

function tellsSpread({ stats }: Result): boolean {
  return stats.mean !== undefined && stats.stdev !== undefined && stats.rounds !== undefined
}
