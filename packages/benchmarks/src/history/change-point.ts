import { formatPercent } from '../format-percent.ts'
import { formatQuantity } from '../format-quantity.ts'
import { middleOf } from './middle-of.ts'
import type { RelativeScale } from './relative-scale.ts'

/** Where a series of runs changed its level. Which direction is the worse one is for the caller to know. */
export interface ChangePoint {
  /** Of the first run after the change, from 0 for the oldest. */
  index: number
  direction: 'up' | 'down'
  /** Medians of the runs before (back to the change before) and after, in the unit of the values. */
  before: number
  after: number
  /** Of the level before; where that is 0, of the typical size of the values. */
  changePercent: number
  confidenceInterval: { lowPercent: number; highPercent: number; confidence: number }
  /** How probable a change this clear is where nothing changed, with all the places looked at taken into account. */
  pValue: number
  sentence: string
}

/** What a test found out about two stretches of a series, on its relative scale. */
interface Difference {
  /** Indices: the stretch before is [start, index), the one after [index, end). */
  start: number
  index: number
  end: number
  /** Half of the width of the interval of the difference of the means. */
  margin: number
  pValue: number
  /** Of the values, for the words. */
  unit: string
}

export const INTERVAL_CONFIDENCE = 0.95
/** The standard error of a median is so many times that of a mean, where runs are normal: √(π / 2). */
const MEDIAN_ERROR = Math.sqrt(Math.PI / 2)

/** The percentages are of medians, which one slow run does not move. */
export function changePoint(
  values: readonly number[],
  scale: RelativeScale,
  { start, index, end, margin, pValue, unit }: Difference,
): ChangePoint {
  const [before, after] = [middleOf(values.slice(start, index)), middleOf(values.slice(index, end))]
  const medianStep =
    middleOf(scale.positions.subarray(index, end)) - middleOf(scale.positions.subarray(start, index))
  const changePercent = scale.toPercent(medianStep, before)
  const lowPercent = scale.toPercent(medianStep - MEDIAN_ERROR * margin, before)
  const highPercent = scale.toPercent(medianStep + MEDIAN_ERROR * margin, before)
  const direction = medianStep > 0 ? 'up' : 'down'
  const inPercent =
    `by ${formatPercent(changePercent)} (${formatPercent(lowPercent)} to ${formatPercent(highPercent)} ` +
    `with ${100 * INTERVAL_CONFIDENCE} % confidence)`
  return {
    index,
    direction,
    before,
    after,
    changePercent,
    confidenceInterval: { lowPercent, highPercent, confidence: INTERVAL_CONFIDENCE },
    pValue,
    sentence:
      `From run ${index} on the level is ${direction} ${before === 0 ? '' : `${inPercent}, `}` +
      `from ${formatQuantity(before, unit)} to ${formatQuantity(after, unit)}: ${end - index} runs against ${index - start}, ` +
      `${pValue < 0.001 ? 'p < 0.001' : `p = ${pValue.toFixed(3)}`}.`,
  }
}
