import type { BenchmarkResult } from './benchmark-result.ts'
import type { EffectSize } from './effect-size.ts'
import { fromProcesses, PROCESSES_MIN } from './measured-spread.ts'
import { sortedCopy } from './statistics/describe-rounds.ts'
import { studentTTwoSided } from './statistics/student-t-distribution.ts'
import { trimmedMean } from './statistics/trimmed-mean.ts'

/**
 * The change between two results whose processes ran in turns: the differences of the logarithms of neighbours, of which
 * the trimmed mean is taken. What moves slowly (clock rate, temperature, neighbours on the machine) is in both of a pair
 * and falls out; what differs from process to process is measured; what disturbs single processes is trimmed. So there is
 * nothing left to assume. Undefined when there are fewer than five pairs of positive values.
 * @param quantile of Student's t for the confidence asked, by whole degrees of freedom
 */
export function pairedEffect(
  base: BenchmarkResult,
  head: BenchmarkResult,
  quantile: (df: number) => number,
): EffectSize | undefined {
  const [ofBase, ofHead] = [fromProcesses(base), fromProcesses(head)]
  if (!ofBase || !ofHead) return undefined
  const differences = (base.processValues ?? []).flatMap((before, index) => {
    const after = head.processValues?.[index] ?? null
    return before === null || after === null ? [] : Math.log(after / before)
  })
  if (differences.length < PROCESSES_MIN) return undefined
  const { mean, variance, df } = trimmedMean(sortedCopy(differences))
  const margin = quantile(df) * Math.sqrt(variance)
  const pValue = variance === 0 ? (mean === 0 ? 1 : 0) : studentTTwoSided(mean / Math.sqrt(variance), df)
  return {
    base: ofBase,
    head: ofHead,
    logRatio: mean,
    margin,
    measuredMargin: margin,
    pValue,
    isDeterministic: false,
    method: `${differences.length} pairs of processes that ran in turns`,
  }
}
