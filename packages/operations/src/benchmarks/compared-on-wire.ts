import { sizeOfChange, type BenchmarkComparison, type Verdict } from '@flamegate/benchmarks'
import type { operations, OutputOf } from '@flamegate/contract'
import type { Reading } from '../implement.ts'
import type { Run } from '../ports/index.ts'
import { benchmarksWithProfile } from '../profiles/of-run.ts'
import type { RunComparison } from './compare-two-runs.ts'

type ComparedOnWire = OutputOf<typeof operations.compareRuns>['benchmarks'][number]

/** Compared benchmarks in the words of the wire. */
export async function comparedOnWire(
  context: Reading,
  comparison: RunComparison<Run | undefined>,
  benchmarks: readonly BenchmarkComparison[],
): Promise<ComparedOnWire[]> {
  const { base, head } = comparison
  const profiledIn = await benchmarksWithProfile(context, base === undefined ? [head] : [base, head])
  const [baseProfiled, headProfiled] = [profiledIn(base), profiledIn(head)]
  return benchmarks.map((each) => {
    const { benchmarkId } = comparison.resultOf(each)
    const acknowledged = comparison.acknowledgedBy(each)
    return {
      uri: each.uri,
      name: each.name,
      benchmark_id: benchmarkId,
      verdict: each.verdict,
      base_value: each.baseValue ?? null,
      head_value: each.headValue ?? null,
      unit: each.unit,
      instrument: each.instrument,
      metric: each.metric,
      better_when: each.betterWhen,
      change_percent: each.changePercent ?? null,
      interval_low_percent: each.confidenceInterval?.lowPercent ?? null,
      interval_high_percent: each.confidenceInterval?.highPercent ?? null,
      noise_percent: each.noisePercent ?? null,
      p_value: each.adjustedPValue ?? null,
      reason:
        acknowledged === undefined
          ? each.reason
          : `${each.reason} Accepted with alert ${acknowledged.id}${acknowledged.stateReason === '' ? '' : `: ${acknowledged.stateReason}`}.`,
      is_ignored: each.isIgnored,
      is_acknowledged: acknowledged !== undefined,
      has_base_profile: baseProfiled.has(benchmarkId),
      has_head_profile: headProfiled.has(benchmarkId),
    }
  })
}

const urgency: Record<Verdict, number> = {
  regressed: 0,
  incomparable: 1,
  noisy: 2,
  missing: 3,
  improved: 4,
  new: 5,
  unchanged: 6,
}

/** What somebody should look at first comes first, and the ignored last. */
export function worstFirst(benchmarks: readonly BenchmarkComparison[]): BenchmarkComparison[] {
  // Sizes are worked out once, because ten thousand are held against each other a dozen times each.
  return benchmarks
    .map((each) => ({
      each,
      rank: urgency[each.verdict] + (each.isIgnored ? 10 : 0),
      size: sizeOfChange(each),
    }))
    .toSorted((a, b) => a.rank - b.rank || (a.size === b.size ? 0 : b.size - a.size))
    .map(({ each }) => each)
}
