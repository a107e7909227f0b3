import { largestChangeFirst, type BenchmarkComparison } from '@flamegate/benchmarks'
import type { operations, OutputOf } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import { benchmarksWithProfile } from '../profiles/of-run.ts'
import type { RunComparison } from './compare-two-runs.ts'

type ComparedOnWire = OutputOf<typeof operations.compareRuns>['benchmarks'][number]

/** Compared benchmarks in the words of the wire. */
export async function comparedOnWire(
  context: CallContext,
  comparison: RunComparison,
  benchmarks: readonly BenchmarkComparison[],
): Promise<ComparedOnWire[]> {
  const [baseProfiled, headProfiled] = await Promise.all([
    benchmarksWithProfile(context, comparison.base),
    benchmarksWithProfile(context, comparison.head),
  ])
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

const urgency = ['regressed', 'incomparable', 'noisy', 'missing', 'improved', 'new', 'unchanged']

export function worstFirst(a: BenchmarkComparison, b: BenchmarkComparison): number {
  return (
    Number(a.isIgnored) - Number(b.isIgnored) ||
    urgency.indexOf(a.verdict) - urgency.indexOf(b.verdict) ||
    largestChangeFirst(a, b)
  )
}
