const nanosecondsPer: Readonly<Record<string, number>> = {
  microseconds: 1e3,
  milliseconds: 1e6,
  seconds: 1e9,
}
/** The largest double that an int64 can hold. */
const largest = 2 ** 63 - 1024

/**
 * Values as int64 can hold them, in the same unit if they are so already. Times with fractions become nanoseconds. What is
 * then left of fractions is handed on to the next value, so that sums over many small values come out right:
 *
 *     0.4 0.4 0.4 0.4   ->   0 1 0 1
 */
export function wholeNumbers(
  values: readonly number[],
  unit: string,
): { values: Float64Array; unit: string; isRounded: boolean } {
  if (values.every((value) => Number.isInteger(value) && Math.abs(value) <= largest))
    return { values: Float64Array.from(values), unit, isRounded: false }
  const factor = nanosecondsPer[unit] ?? 1
  const whole = new Float64Array(values.length)
  let carried = 0
  let isRounded = false
  for (const [index, value] of values.entries()) {
    const wanted = value * factor + carried
    const rounded = Math.max(-largest, Math.min(largest, Math.round(wanted)))
    whole[index] = rounded
    carried = wanted - rounded
    if (Math.abs(carried) > 1e-6) isRounded = true
    if (Math.abs(carried) > 1) carried = 0
  }
  return { values: whole, unit: factor === 1 ? unit : 'nanoseconds', isRounded }
}
