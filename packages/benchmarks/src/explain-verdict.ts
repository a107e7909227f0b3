import { formatPercent } from './format-percent.ts'
import type { ChangeVerdict, JudgeOptions, TestedChange } from './judge-change.ts'
import { quote } from './quote.ts'

/** Why a change got its verdict: its size, how sure that is, by which method, and against what. */
export function explainVerdict(verdict: ChangeVerdict, change: TestedChange, options: JudgeOptions): string {
  const { effect } = change
  const size = formatPercent(100 * Math.expm1(effect.logRatio))
  const what = subject(change)
  const claims: Record<ChangeVerdict, string> = {
    regressed: `${what} ${direction(change)} by ${size}`,
    improved: `${what} ${direction(change)} by ${size}`,
    noisy: `${what} differs by ${size}, but ${whyNoisy(change, options)}`,
    unchanged: `${what} changes by ${size}, no change against the threshold of ${options.thresholdPercent} %`,
    incomparable: `${what} cannot be compared`,
  }
  return `${claims[verdict]} (${proof(change, options)}).`
}

function subject({ head, effect }: TestedChange): string {
  const { statistic } = effect.head
  const isOne = statistic === effect.base.statistic && statistic !== 'single'
  const name = isOne ? `The ${statistic}` : 'The value'
  return isTime(head.unit) ? name : `${name} of ${quote(head.metric, 60)}`
}

function isTime(unit: string): boolean {
  return unit === 'ns'
}

function direction({ head, effect }: TestedChange): string {
  const isLarger = effect.logRatio > 0
  const isWorse = isLarger === (head.betterWhen === 'lower')
  if (isTime(head.unit) && head.betterWhen === 'lower') return isWorse ? 'is slower' : 'is faster'
  return `is ${isWorse ? 'worse' : 'better'}, ${isLarger ? 'larger' : 'smaller'}`
}

function whyNoisy({ effect, adjustedPValue }: TestedChange, { confidence }: JudgeOptions): string {
  const { pValue, logRatio, margin, measuredMargin } = effect
  const isToldAlone = Math.abs(logRatio) > margin
  if (isToldAlone && pValue !== undefined && adjustedPValue !== undefined) {
    return `among all benchmarks compared at once some differ so by chance (${formatP(adjustedPValue)} after Benjamini–Hochberg, not below ${round(1 - confidence)})`
  }
  return Math.abs(logRatio) > measuredMargin
    ? 'two runs of the same code are taken to differ as much'
    : 'it varies too much to tell'
}

function proof({ effect }: TestedChange, { confidence }: JudgeOptions): string {
  const { logRatio, margin, pValue, method, isDeterministic } = effect
  if (isDeterministic) return method
  const [low, high] = [logRatio - margin, logRatio + margin].map((end) =>
    formatPercent(100 * Math.expm1(end)),
  )
  const test = pValue === undefined ? '' : `; ${formatP(pValue)}`
  return `${low} to ${high} with ${round(100 * confidence)} % confidence, by ${method}${test}`
}

function formatP(pValue: number): string {
  return pValue < 0.001 ? 'p < 0.001' : `p = ${pValue.toFixed(3)}`
}

function round(number: number): number {
  return Number(number.toPrecision(3))
}
