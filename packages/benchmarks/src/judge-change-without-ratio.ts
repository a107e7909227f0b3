import type { BenchmarkResult } from './benchmark-result.ts'
import type { Judgement } from './judge-change.ts'
import { quote } from './quote.ts'

/**
 * The judgement of two results between which there is no ratio, because they are not of the same measure or one of them
 * is not positive; undefined for all others. From zero to something is a change without per cent.
 */
export function judgeWithoutRatio(base: BenchmarkResult, head: BenchmarkResult): Judgement | undefined {
  const values = { baseValue: base.value, headValue: head.value, statistic: head.statistic }
  const difference = differentMeasure(base, head)
  if (difference !== undefined) return { ...values, verdict: 'incomparable', reason: difference }
  if (base.value > 0 && head.value > 0) return undefined
  if (base.value < 0 || head.value < 0) {
    return { ...values, verdict: 'incomparable', reason: 'A value below zero has no ratio to another.' }
  }
  if (head.metric === 'time') {
    return {
      ...values,
      verdict: 'noisy',
      reason: 'A time of zero: the timer is too coarse for this benchmark.',
    }
  }
  if (base.value === head.value) {
    return { ...values, verdict: 'unchanged', changePercent: 0, reason: 'It is zero in both runs.' }
  }
  const isWorse = head.value > base.value === (head.betterWhen === 'lower')
  const metric = quote(head.metric, 60)
  return {
    ...values,
    verdict: isWorse ? 'regressed' : 'improved',
    ...(head.value === 0 && { changePercent: -100 }),
    reason:
      head.value === 0
        ? `The ${metric} fell to zero, which is ${isWorse ? 'worse' : 'better'}.`
        : `The ${metric} was zero and no longer is, which is ${isWorse ? 'worse' : 'better'}; there is no per cent of zero.`,
  }
}

function differentMeasure(base: BenchmarkResult, head: BenchmarkResult): string | undefined {
  const words = { instrument: 'instrument', metric: 'metric', unit: 'unit', betterWhen: 'direction' } as const
  for (const key of ['instrument', 'metric', 'unit', 'betterWhen'] as const) {
    if (base[key] === head[key]) continue
    return `The two runs differ in the ${words[key]}: ${quote(base[key], 60)} and ${quote(head[key], 60)}.`
  }
  return undefined
}
