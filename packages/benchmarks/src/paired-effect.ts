import type { BenchmarkResult } from './benchmark-result.ts'
import type { EffectSize } from './effect-size.ts'
import { fromProcesses, PROCESSES_MIN } from './measured-spread.ts'
import { formatPercent } from './format-percent.ts'
import { sortedCopy } from './statistics/describe-rounds.ts'
import { modeShift } from './statistics/mode-shift.ts'
import { studentTTwoSided } from './statistics/student-t-distribution.ts'
import { trimmedMean } from './statistics/trimmed-mean.ts'

/** Nobody asks for more where the pairs tell the change as exactly as this, on the scale of logarithms. */
const SURE_MARGIN = 0.03
/** Modes are assumed, pairs are not: what modes tell has to be so much surer. */
const MARGIN_SHARE = 3 / 4

/**
 * The change between two results whose processes ran in turns: the differences of the logarithms of neighbours, of which
 * the trimmed mean is taken. What moves slowly (clock rate, temperature, neighbours on the machine) is in both of a pair
 * and falls out; what differs from process to process is measured; what disturbs single processes is trimmed. So there is
 * nothing left to assume. Where something else on the machine slows a good part of the processes, as another tenant of
 * the same core does, the modes of both sides are compared instead, if that tells far more. Undefined when there are fewer
 * than five pairs of positive values.
 * @param quantile of Student's t for the confidence asked, by whole degrees of freedom
 */
export function pairedEffect(
  base: BenchmarkResult,
  head: BenchmarkResult,
  quantile: (df: number) => number,
): EffectSize | undefined {
  const [ofBase, ofHead] = [fromProcesses(base), fromProcesses(head)]
  if (!ofBase || !ofHead) return undefined
  const pairs = (base.processValues ?? []).flatMap((before, index): [number, number][] => {
    const after = head.processValues?.[index] ?? null
    return before === null || after === null ? [] : [[Math.log(before), Math.log(after)]]
  })
  if (pairs.length < PROCESSES_MIN) return undefined
  const { mean, variance, df } = trimmedMean(sortedCopy(pairs.map(([before, after]) => after - before)))
  const margin = quantile(df) * Math.sqrt(variance)
  const pValue = variance === 0 ? (mean === 0 ? 1 : 0) : studentTTwoSided(mean / Math.sqrt(variance), df)
  const method = `${pairs.length} pairs of processes that ran in turns`
  const ofModes =
    margin > SURE_MARGIN ? modesEffect(pairs, { base: ofBase, head: ofHead, method, quantile }) : undefined
  if (ofModes !== undefined && ofModes.margin < MARGIN_SHARE * margin) return ofModes
  return {
    base: ofBase,
    head: ofHead,
    logRatio: mean,
    margin,
    measuredMargin: margin,
    pValue,
    isDeterministic: false,
    method,
  }
}

function modesEffect(
  pairs: readonly [before: number, after: number][],
  of: Pick<EffectSize, 'base' | 'head' | 'method'> & { quantile: (df: number) => number },
): EffectSize | undefined {
  const [before, after] = [pairs.map(([each]) => each), pairs.map(([, each]) => each)]
  const found = modeShift(before, after, of.quantile)
  if (found === undefined) return undefined
  const { shift, margin, pValue, center, gap, upper } = found
  const statistic = 'more frequent mode'
  return {
    base: { ...of.base, value: Math.exp(center), statistic },
    head: { ...of.head, value: Math.exp(center + shift), statistic },
    logRatio: shift,
    margin,
    measuredMargin: margin,
    pValue,
    isDeterministic: false,
    method: `${of.method}, of which ${upper[0]} and ${upper[1]} were in a mode ${formatPercent(100 * Math.expm1(gap))} higher`,
  }
}
