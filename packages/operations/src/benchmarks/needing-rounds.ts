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
  const before = new Map<string, Result>()
  for (const result of base) before.set(result.benchmarkId, result)
  const needing: string[] = []
  for (const result of head) {
    const other = before.get(result.benchmarkId)
    if (other === undefined) continue
    const own = thresholdPercents?.size ? thresholdPercents.get(benchmarkKey(result)) : undefined
    // Half of the threshold, because the middle of the rounds may lie elsewhere than the value does.
    const most = 1 + (own ?? thresholdPercent) / 200
    const ratio = result.value / other.value
    const isNear = ratio < most && ratio > 1 / most
    if (!isNear || !tellsSpread(result) || !tellsSpread(other)) needing.push(result.benchmarkId)
  }
  return needing
}

function tellsSpread({ stats }: Result): boolean {
  return stats.mean !== undefined && stats.stdev !== undefined && stats.rounds !== undefined
}
