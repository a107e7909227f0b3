import { middleOf } from './middle-of.ts'

/** Values on a scale on which equal relative changes are equal steps, and the way back from a step to per cent. */
export interface RelativeScale {
  positions: Float64Array
  /**
   * A step on the scale as per cent of the value that it began at.
   * @param from that value; it is needed where values may be zero or negative. Per cent of zero are told of the typical size
   */
  toPercent: (step: number, from?: number) => number
  /** The step that a change by so many per cent makes. */
  fromPercent: (percent: number) => number
}

/**
 * Logarithms, where all values are positive; then nothing changes when the unit does. A series with zeros or negative
 * values is divided by its typical size instead, so a step of 0.05 is five per cent of that size.
 */
export function relativeScale(values: readonly number[]): RelativeScale {
  const wrong = values.findIndex((value) => !Number.isFinite(value))
  if (wrong !== -1) throw new RangeError(`Value ${wrong} of the history is not a finite number`)
  if (values.every((value) => value > 0)) {
    return {
      // Without `from`, which iterates: this is asked for thousands of runs.
      positions: new Float64Array(values).map(Math.log),
      toPercent: (step) => 100 * Math.expm1(step),
      fromPercent: (percent) => Math.log1p(percent / 100),
    }
  }
  const sizes = values.map(Math.abs).filter((size) => size > 0)
  const typical = sizes.length === 0 ? 1 : middleOf(sizes)
  return {
    positions: Float64Array.from(values, (value) => value / typical),
    toPercent: (step, from) => (100 * step * typical) / (Math.abs(from ?? 0) || typical),
    fromPercent: (percent) => percent / 100,
  }
}
