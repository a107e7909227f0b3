/** The means of all stretches of `width` neighbours, the first first; none where there are fewer values. */
export function movingMeans(values: Float64Array, width: number): Float64Array {
  const means = new Float64Array(Math.max(0, values.length - width + 1))
  let sum = 0
  for (const [index, value] of values.entries()) {
    sum += value - (values[index - width] ?? 0)
    if (index >= width - 1) means[index - width + 1] = sum / width
  }
  return means
}
