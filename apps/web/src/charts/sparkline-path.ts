/** The box a sparkline is drawn in, in its own units. */
export const sparklineBox = { width: 96, height: 24 } as const
const edge = 2.5

/**
 * Points of a sparkline, oldest first, with no point for what is not known; the largest value is on top. Values that are all the
 * same lie in the middle.
 */
export function sparklinePoints(values: readonly (number | null)[]): { x: number; y: number }[] {
  const known = values.filter((value) => value !== null)
  const low = known.reduce((a, b) => Math.min(a, b), Infinity)
  const high = known.reduce((a, b) => Math.max(a, b), -Infinity)
  // At least a tenth of the values themselves, so that noise does not look like a cliff.
  const range = Math.max(high - low, Math.max(Math.abs(high), Math.abs(low)) * 0.1) || 1
  const middle = (high + low) / 2
  const width = sparklineBox.width - 2 * edge
  const height = sparklineBox.height - 2 * edge
  return values.flatMap((value, index) =>
    value === null
      ? []
      : {
          x: edge + (values.length === 1 ? width : (index / (values.length - 1)) * width),
          y: edge + height * (0.5 - (value - middle) / range),
        },
  )
}
