/** How many took from `from_ms` to below `to_ms`. */
export interface HistogramBar {
  from_ms: number
  to_ms: number
  count: number
}

/**
 * The corners of a histogram's outline, whose heights are shares of all per millisecond: so bars of different width, and
 * runs of different length, compare.
 */
export function outlineOf(bars: readonly HistogramBar[]): { ms: number; height: number }[] {
  const [first, last] = [bars[0], bars.at(-1)]
  if (first === undefined || last === undefined) return []
  const total = countOf(bars)
  return [
    { ms: first.from_ms, height: 0 },
    ...bars.flatMap(({ from_ms: from, to_ms: to, count }) => {
      const height = total === 0 ? 0 : count / total / (to - from)
      return [
        { ms: from, height },
        { ms: to, height },
      ]
    }),
    { ms: last.to_ms, height: 0 },
  ]
}

/** Which share of all took that long, where those of a bar are taken for evenly spread. */
export function sharesWithin(bars: readonly HistogramBar[], fromMs: number, toMs: number): number {
  const total = countOf(bars)
  if (total === 0) return 0
  const within = bars.reduce((sum, { from_ms: from, to_ms: to, count }) => {
    const common = Math.min(to, toMs) - Math.max(from, fromMs)
    return common <= 0 ? sum : sum + (count * common) / (to - from)
  }, 0)
  return within / total
}

function countOf(bars: readonly HistogramBar[]): number {
  return bars.reduce((sum, { count }) => sum + count, 0)
}
