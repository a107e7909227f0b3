/** A change in percent with its confidence interval; null where there is none. */
export interface ChangeInterval {
  change_percent: number | null
  interval_low_percent: number | null
  interval_high_percent: number | null
}

/** Changes beyond this are drawn to the edge, so that one outlier does not flatten all others. */
const widestPercent = 100
const narrowestPercent = 10

/** The change, in percent, at either edge of the bars that are drawn above one another; `widest` at most. */
export function intervalScale(rows: readonly ChangeInterval[], widest = widestPercent): number {
  const reach = rows.flatMap((row) =>
    [row.change_percent, row.interval_low_percent, row.interval_high_percent].map((value) =>
      Math.abs(value ?? 0),
    ),
  )
  return Math.min(
    widest,
    reach.reduce((most, value) => Math.max(most, value), narrowestPercent),
  )
}

/**
 * Where the interval and the change lie on a bar, in percent of its width; no change is at 50. Undefined when
 * there is no change to draw. Without an interval its ends are the change itself.
 */
export function placeInterval(
  row: ChangeInterval,
  scalePercent: number,
): { low: number; high: number; change: number } | undefined {
  if (row.change_percent === null) return undefined
  const place = (value: number) => 50 + 50 * Math.max(-1, Math.min(1, value / scalePercent))
  return {
    low: place(row.interval_low_percent ?? row.change_percent),
    high: place(row.interval_high_percent ?? row.change_percent),
    change: place(row.change_percent),
  }
}
