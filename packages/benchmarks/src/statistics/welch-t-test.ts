import type { RatioEstimate } from './hodges-lehmann.ts'
import { studentTCdf, studentTQuantile } from './student-t-distribution.ts'

/** What is left of a sample when its rounds are not in the file. */
export interface SampleSummary {
  mean: number
  stdev: number
  rounds: number
}

/**
 * Welch's t test for the ratio of two means, on the log scale by the delta method: the variance of ln(mean) is
 * (stdev / mean)² / n, the degrees of freedom are Welch–Satterthwaite's. On that scale base and head can be swapped.
 * @see Welch (1947), Biometrika 34:28–35; Satterthwaite (1946), Biometrics Bulletin 2:110–114
 */
export function welchRatio(
  base: SampleSummary,
  head: SampleSummary,
  confidence: number,
): RatioEstimate & { pValue: number } {
  const difference = Math.log(head.mean / base.mean)
  const baseVariance = (base.stdev / base.mean) ** 2 / base.rounds
  const headVariance = (head.stdev / head.mean) ** 2 / head.rounds
  const error = Math.sqrt(baseVariance + headVariance)
  const ratio = Math.exp(difference)
  if (error === 0) return { ratio, low: ratio, high: ratio, pValue: difference === 0 ? 1 : 0 }
  const df =
    (baseVariance + headVariance) ** 2 /
    (baseVariance ** 2 / (base.rounds - 1) + headVariance ** 2 / (head.rounds - 1))
  const margin = studentTQuantile((1 + confidence) / 2, df) * error
  return {
    ratio,
    low: Math.exp(difference - margin),
    high: Math.exp(difference + margin),
    pValue: Math.min(1, 2 * (1 - studentTCdf(Math.abs(difference) / error, df))),
  }
}
