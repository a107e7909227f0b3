import { instruments } from './benchmark-result.ts'
import type { BenchmarkResult } from './benchmark-result.ts'
import type { EnvironmentDifference } from './compare-environments.ts'
import { effectSize } from './effect-size.ts'
import type { EffectSize } from './effect-size.ts'
import { judgeWithoutRatio } from './judge-change-without-ratio.ts'
import { judgeChange } from './judge-change.ts'
import type { Judgement, JudgeOptions } from './judge-change.ts'
import { measuredPair } from './measured-spread.ts'
import type { MeasuredPair } from './measured-spread.ts'
import { withDoubts } from './judge-change-doubts.ts'
import { benchmarkKey } from './pair-results.ts'
import { pairedEffect } from './paired-effect.ts'
import type { ResultPair } from './pair-results.ts'
import { assumedVariance, assumptionFactor, noiseBetweenRuns } from './run-noise.ts'
import type { BenchmarkNoise } from './run-noise.ts'
import { benjaminiHochberg } from './statistics/benjamini-hochberg.ts'
import { twoSidedQuantiles } from './statistics/student-t-distribution.ts'

interface Circumstances extends JudgeOptions {
  /** By `benchmarkKey`, like the noise. */
  thresholdPercents: ReadonlyMap<string, number>
  noise: ReadonlyMap<string, BenchmarkNoise>
  environmentDifferences: readonly EnvironmentDifference[]
  /** Whether the processes of both runs ran in turns, so that those of the same number are neighbours. */
  areTakenTogether: boolean
}

interface TwoResults {
  base: BenchmarkResult
  head: BenchmarkResult
}

interface MeasuredChange extends TwoResults {
  measured: MeasuredPair
}

interface KnownEffect extends TwoResults {
  effect: EffectSize
}

/**
 * Judges all benchmarks that are in both runs, in their order. They are judged together because of a thousand benchmarks
 * without a change fifty are expected to look significant at 95 % (see `benjaminiHochberg`).
 */
export function judgeTogether(
  pairs: readonly ResultPair[],
  circumstances: Circumstances,
): (Judgement | undefined)[] {
  const {
    environmentDifferences: differences,
    confidence,
    thresholdPercent,
    thresholdPercents,
    areTakenTogether,
  } = circumstances
  const quantile = twoSidedQuantiles(confidence)
  const thresholdOf = ({ head }: KnownEffect) =>
    thresholdPercents.size === 0
      ? thresholdPercent
      : (thresholdPercents.get(benchmarkKey(head)) ?? thresholdPercent)
  const changes = withEffects(
    pairs.map(({ base, head }) => {
      if (!base || !head) return undefined
      const settled = judgeForeignSimulation(base, head, differences) ?? judgeWithoutRatio(base, head)
      if (settled) return settled
      const effect = areTakenTogether ? pairedEffect(base, head, quantile) : undefined
      return effect ? { base, head, effect } : { base, head, measured: measuredPair(base, head) }
    }),
    circumstances,
    quantile,
  )
  const adjust = benjaminiHochberg(changes.flatMap((change) => testedPValue(change) ?? []))
  const judgements = changes.map((change) => {
    if (!change || !('effect' in change)) return change
    const pValue = testedPValue(change)
    const adjustedPValue = pValue === undefined ? undefined : adjust(pValue)
    return judgeChange({ ...change, adjustedPValue }, { confidence, thresholdPercent: thresholdOf(change) })
  })
  return withDoubts(judgements, pairs, differences)
}

/** Adds the effect to what is measured and has none yet. What is assumed of the noise is learnt from all of one instrument together. */
function withEffects(
  changes: readonly (Judgement | KnownEffect | MeasuredChange | undefined)[],
  { noise }: Circumstances,
  quantile: (df: number) => number,
): (Judgement | KnownEffect | undefined)[] {
  const measured = changes.filter((change) => change !== undefined && 'measured' in change)
  const factors = new Map(
    instruments.map((instrument) => {
      const own = measured.filter(({ head }) => head.instrument === instrument)
      const factor = assumptionFactor(
        own.map((change) => change.measured),
        instrument,
      )
      return [instrument, factor]
    }),
  )
  return changes.map((change) => {
    if (!change || !('measured' in change)) return change
    const { base, head, measured: pair } = change
    const assumed = assumedVariance(pair, head.instrument) * (factors.get(head.instrument) ?? 1)
    const within = (pair.base.logVariance + pair.head.logVariance) / 2
    const history = noise.size === 0 ? undefined : noise.get(benchmarkKey(head))
    const between = noiseBetweenRuns(assumed, within, history)
    return { base, head, effect: effectSize(pair, head.instrument, between, quantile) }
  })
}

function testedPValue(change: Judgement | { effect: EffectSize } | undefined): number | undefined {
  return change && 'effect' in change ? change.effect.pValue : undefined
}

/** Another architecture has other instructions; their number says nothing about the source. */
function judgeForeignSimulation(
  base: BenchmarkResult,
  head: BenchmarkResult,
  differences: readonly EnvironmentDifference[],
): Judgement | undefined {
  const architecture = differences.find(({ isArchitecture }) => isArchitecture)
  if (head.instrument !== 'simulation' || !architecture) return undefined
  return {
    baseValue: base.value,
    headValue: head.value,
    statistic: head.statistic,
    verdict: 'incomparable',
    reason: `Simulated on different architectures, ${architecture.base} and ${architecture.head}, whose instructions are not the same.`,
  }
}
