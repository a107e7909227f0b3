/** What a history chart needs of a point. */
export interface HistoryPoint {
  branch: string
  /** ISO 8601. */
  at: string
  value: number
}

/** A history as a chart draws it: one column per point, oldest first, and one series per branch. */
export interface HistoryColumns<Point extends HistoryPoint> {
  /** Point of every column. */
  points: readonly Point[]
  /** Unix seconds, ascending. */
  times: number[]
  /** Most points first, hidden ones too. `values` has one entry per column: null where the point is of another branch. */
  branches: readonly { name: string; values: (number | null)[] }[]
}

/**
 * Spreads points over one series per branch, so that branches lie over one another on one axis of time. Branches in
 * `hidden` keep their series, and so their colour, but have no points.
 */
export function historyColumns<Point extends HistoryPoint>(
  points: readonly Point[],
  hidden: ReadonlySet<string> = new Set(),
): HistoryColumns<Point> {
  const counts = new Map<string, number>()
  for (const { branch } of points) counts.set(branch, (counts.get(branch) ?? 0) + 1)
  const sorted = points
    .filter(({ branch }) => !hidden.has(branch))
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const names = [...counts].toSorted((a, b) => b[1] - a[1]).map(([name]) => name)
  return {
    points: sorted,
    times: sorted.map(({ at }) => Date.parse(at) / 1000),
    branches: names.map((name) => ({
      name,
      values: sorted.map(({ branch, value }) => (branch === name ? value : null)),
    })),
  }
}

/**
 * The range of an axis of values: some air around them, never below zero for values that are not, and at least a
 * tenth of the largest, so that noise does not look like a cliff.
 */
export function valueRange(values: readonly number[]): [low: number, high: number] {
  if (values.length === 0) return [0, 1]
  const lowest = values.reduce((a, b) => Math.min(a, b))
  const highest = values.reduce((a, b) => Math.max(a, b))
  const air = Math.max((highest - lowest) * 0.15, Math.max(Math.abs(highest), Math.abs(lowest)) * 0.05) || 1
  return [lowest >= 0 ? Math.max(0, lowest - air) : lowest - air, highest + air]
}

/** The range of a logarithmic axis: the same share of air on both sides. Values must be above zero. */
export function logRange(lowest: number, highest: number): [low: number, high: number] {
  const air = Math.max(1.05, (highest / lowest) ** 0.1)
  return [lowest / air, highest * air]
}
