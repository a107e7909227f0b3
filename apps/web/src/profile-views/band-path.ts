/** The outline of a band's values as an SVG path of steps, in a box of one unit per value and height 1. */
export function bandPath(values: readonly number[], highest: number): string {
  const parts = ['M0 1']
  for (const [index, value] of values.entries()) {
    const y = highest === 0 ? 1 : 1 - Math.min(1, Math.abs(value) / highest)
    parts.push(`L${index} ${round(y)}`, `L${index + 1} ${round(y)}`)
  }
  return `${parts.join('')}L${values.length} 1Z`
}

/** The stretch between two places of a drawing, in milliseconds and in order; undefined when it is hardly one. */
export function draggedRange(
  fromShare: number,
  toShare: number,
  startMs: number,
  endMs: number,
): readonly [fromMs: number, toMs: number] | undefined {
  const [low, high] = [inside(Math.min(fromShare, toShare)), inside(Math.max(fromShare, toShare))]
  if (high - low < 0.004) return undefined
  const at = (share: number) => Number((startMs + share * (endMs - startMs)).toPrecision(6))
  return [at(low), at(high)]
}

function inside(share: number): number {
  return Math.min(1, Math.max(0, share))
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
