import type { MetricComparison, MetricVerdict } from './comparison.ts'
import type { Effect } from './effect.ts'
import { ERROR_SHARE_MIN } from './error-change.ts'
import type { MeasuredChange } from './measured-change.ts'

export interface JudgeCircumstances {
  thresholdPercent: number
  confidence: number
  /** By Benjamini & Hochberg, among all that is compared. */
  adjust: (pValue: number) => number
}

/**
 * A change counts when its interval holds the threshold or more, but not zero: so a change as large as the threshold is
 * found, as far as noise lets it be, and one that is surely smaller is none. There is no change when the interval lies
 * within the threshold. On the scale of logarithms, so that base and head can be swapped.
 */
export function judgeMetric(change: MeasuredChange, circumstances: JudgeCircumstances): MetricComparison {
  const { metric, base, head, isCounted } = change
  const shared = { metric, base, head, isCounted }
  switch (change.kind) {
    case 'tested':
      return { ...shared, ...judgeEffect(change.effect, metric === 'requests_per_second', circumstances) }
    case 'errors': {
      const pValue = circumstances.adjust(change.pValue)
      return {
        ...shared,
        ...noInterval,
        changePercent: ratioPercent(base, head),
        pValue,
        verdict: judgeErrors(base ?? 0, head ?? 0, pValue < 1 - circumstances.confidence),
        method: `${change.failedOfBase.failed} of ${change.failedOfBase.calls} and ${change.failedOfHead.failed} of ${change.failedOfHead.calls} calls failed`,
      }
    }
    case 'bare': {
      const changePercent = ratioPercent(base, head)
      return {
        ...shared,
        ...noInterval,
        changePercent,
        pValue: null,
        verdict: judgeSize(changePercent, circumstances.thresholdPercent),
        method: 'the bare difference, which is not tested',
      }
    }
    default:
      return {
        ...shared,
        ...noInterval,
        changePercent: ratioPercent(base, head),
        pValue: null,
        verdict: 'not_judged',
        method: change.method,
      }
  }
}

const noInterval = { lowPercent: null, highPercent: null }

function judgeEffect(
  { logRatio, margin, pValue, method }: Effect,
  isMoreBetter: boolean,
  { thresholdPercent, confidence, adjust }: JudgeCircumstances,
): Pick<MetricComparison, 'changePercent' | 'lowPercent' | 'highPercent' | 'pValue' | 'verdict' | 'method'> {
  const threshold = Math.log1p(thresholdPercent / 100)
  const size = Math.abs(logRatio)
  const adjusted = adjust(pValue)
  const isTold = size > margin && adjusted < 1 - confidence
  const mayBeThreshold = size + margin >= threshold
  const direction = logRatio > 0 === isMoreBetter ? 'better' : 'worse'
  return {
    changePercent: 100 * Math.expm1(logRatio),
    lowPercent: 100 * Math.expm1(logRatio - margin),
    highPercent: 100 * Math.expm1(logRatio + margin),
    pValue: adjusted,
    verdict: mayBeThreshold ? (isTold ? direction : 'cannot_tell') : 'same',
    method,
  }
}

function judgeErrors(base: number, head: number, isTold: boolean): MetricVerdict {
  if (Math.abs(head - base) < ERROR_SHARE_MIN) return 'same'
  if (!isTold) return 'cannot_tell'
  return head > base ? 'worse' : 'better'
}

function judgeSize(changePercent: number | null, thresholdPercent: number): MetricVerdict {
  if (changePercent === null) return 'not_judged'
  if (Math.abs(Math.log1p(changePercent / 100)) < Math.log1p(thresholdPercent / 100)) return 'same'
  return changePercent > 0 ? 'worse' : 'better'
}

function ratioPercent(base: number | null, head: number | null): number | null {
  if (base === null || head === null || !(base > 0)) return null
  return 100 * (head / base - 1)
}
