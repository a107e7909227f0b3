/** Where a bar lies that begins at the middle: left of it for less, right for more; in percent of the width. */
export function divergingBar(difference: number, largest: number): { left: number; width: number } {
  if (largest === 0) return { left: 50, width: 0 }
  const width = Math.min(50, (Math.abs(difference) / largest) * 50)
  return { left: difference < 0 ? 50 - width : 50, width }
}

/** The difference that reaches to the edge, among bars that are drawn above one another. */
export function largestDifference(differences: readonly number[]): number {
  return differences.reduce((most, difference) => Math.max(most, Math.abs(difference)), 0)
}
