import type { ComparedMetric } from './comparison.ts'
import type { Effect } from './effect.ts'
import type { Failed } from './error-change.ts'

/** One metric of both sides before it is judged: what the change is, if it can be told. */
export type MeasuredChange = {
  metric: ComparedMetric
  base: number | null
  head: number | null
  isCounted: boolean
} & (
  | { kind: 'tested'; effect: Effect }
  | { kind: 'errors'; failedOfBase: Failed; failedOfHead: Failed; pValue: number }
  /** A size, which is what it is. */
  | { kind: 'bare' }
  | { kind: 'unknown'; method: string }
)
