/** Digits that nobody reads are left off, and so few that what is rounded again for people comes out as without it. */
export function rounded(value: number): number {
  return Number(value.toPrecision(8))
}
