import type { BenchmarkResult } from './benchmark-result.ts'
import type { EffectSize } from './effect-size.ts'
import { explainVerdict } from './explain-verdict.ts'

export type ChangeVerdict = 'improved' | 'regressed' | 'unchanged' | 'noisy' | 'incomparable'

/** Changes smaller than this are never called a change, whatever the threshold. */
const NO_CHANGE_PERCENT = 0.5

export interface JudgeOptions {
  /** A change counts from this size on. */
  thresholdPercent: number
  /** Between 0 and 1, e.g. 0.95. */
  confidence: number
}

/** How one benchmark changed from base to head. Percentages are of the base; positive is a larger value. */
export interface Judgement {
  verdict: ChangeVerdict
  /** In the unit of the result; the statistic that was compared. */
  baseValue: number
  headValue: number
  statistic: string
  /** Absent when there is no ratio of the values. */
  changePercent?: number
  confidenceInterval?: { lowPercent: number; highPercent: number; confidence: number }
  /** Of this benchmark alone; absent where nothing was tested. */
  pValue?: number
  /** For all benchmarks of the comparison together, by Benjamini & Hochberg. */
  adjustedPValue?: number
  /** The spread of one round, or of one process, on the noisier side, as a share of its value; absent when the file tells no spread. */
  noisePercent?: number
  reason: string
}

/** What stands against or for a change of a benchmark that has a ratio. */
export interface TestedChange {
  base: BenchmarkResult
  head: BenchmarkResult
  effect: EffectSize
  /** Undefined exactly when the effect has no p-value. */
  adjustedPValue: number | undefined
}

/**
 * A benchmark improved or regressed when its change is at least the threshold, its interval excludes no change, and its
 * p-value is below 1 − confidence among all that are compared (so at most that share of all claims is expected to be
 * false). Sizes are compared as ratios, so a slowdown of 5 % and its undoing (−4.8 %) count alike, and swapping base and
 * head swaps the verdict. What is deterministic is judged by the threshold alone.
 * `noisy`: it looks changed but cannot be told from noise, or what was measured of the noise is so large that a change of
 * the threshold could hide both ways. An assumed noise alone makes no benchmark noisy that does not look changed.
 */
export function judgeChange(change: TestedChange, options: JudgeOptions): Judgement {
  const { base, head, effect, adjustedPValue } = change
  const verdict = decide(change, options)
  return {
    verdict,
    baseValue: effect.base.value,
    headValue: effect.head.value,
    statistic: sameOrBoth(effect.base.statistic, effect.head.statistic),
    changePercent: 100 * Math.expm1(effect.logRatio),
    confidenceInterval: {
      lowPercent: 100 * Math.expm1(effect.logRatio - effect.margin),
      highPercent: 100 * Math.expm1(effect.logRatio + effect.margin),
      confidence: options.confidence,
    },
    pValue: effect.pValue,
    adjustedPValue,
    noisePercent: noisePercent(effect),
    reason: explainVerdict(verdict, { base, head, effect, adjustedPValue }, options),
  }
}

function decide({ head, effect, adjustedPValue }: TestedChange, options: JudgeOptions): ChangeVerdict {
  const { logRatio, margin, measuredMargin, isDeterministic } = effect
  const threshold = Math.log1p(options.thresholdPercent / 100)
  const size = Math.abs(logRatio)
  if (size < Math.log1p(NO_CHANGE_PERCENT / 100) || size < threshold) {
    return measuredMargin - size > threshold ? 'noisy' : 'unchanged'
  }
  const isTold = size > margin && (adjustedPValue ?? 0) < 1 - options.confidence
  if (!isTold && !isDeterministic) return 'noisy'
  return logRatio > 0 === (head.betterWhen === 'lower') ? 'regressed' : 'improved'
}

function noisePercent({ base, head }: EffectSize): number | undefined {
  if (base.roundSpread === undefined && head.roundSpread === undefined) return undefined
  return 100 * Math.max(base.roundSpread ?? 0, head.roundSpread ?? 0)
}

function sameOrBoth(base: string, head: string): string {
  return base === head ? base : `${base}, ${head}`
}
