import type { LoadLevel } from './load-levels.ts'

export type Knee =
  | { outcome: 'seen'; level: LoadLevel; baseMs: number; topMs: number; bend: number }
  /** flat: latency did not rise; steady: it rose in a straight line, or first fast and then slower. */
  | { outcome: 'none'; why: 'flat' | 'steady'; baseMs: number; topMs: number; topLoad: number }
  | { outcome: 'unknown'; levelCount: number; loadRange: number }

/** Fewer points make no curve. */
const levelsMin = 5
/** From the lowest to the highest load; below, there is no curve to see. */
const loadRangeMin = 1.5
/** How many times as long answers take at the highest load as at the lowest, for it to be a rise. */
const riseMin = 1.5
/** How far the curve hangs below the straight line between its ends, at least. */
const bendMin = 0.15

/**
 * Where latency begins to rise faster than the load, by Kneedle (Satopää, Albrecht, Irwin, Raghavan 2011, "Finding a Kneedle in a
 * Haystack", https://doi.org/10.1109/ICDCSW.2011.20) for a convex, rising curve: both axes are scaled to 0..1, and the knee
 * is where the curve is farthest below the diagonal. In place of Kneedle's spline, noise is taken out by isotonic
 * regression, for waiting does not shorten when the load rises. As the distance falls to 0 at the end of the curve, the largest one
 * is always a knee to Kneedle; here it also has to be large, and the rise as a whole.
 */
export function findKnee(levels: readonly LoadLevel[]): Knee {
  const first = levels[0]
  const last = levels.at(-1)
  const loadRange = first === undefined || last === undefined ? 0 : last.load / first.load
  if (first === undefined || last === undefined || levels.length < levelsMin || loadRange < loadRangeMin)
    return { outcome: 'unknown', levelCount: levels.length, loadRange }
  const rising = isotonic(levels)
  const [baseMs = 0] = rising
  const topMs = rising.at(-1) ?? 0
  if (topMs < riseMin * baseMs) return { outcome: 'none', why: 'flat', baseMs, topMs, topLoad: last.load }
  const below = levels.map(
    ({ load }, index) =>
      (load - first.load) / (last.load - first.load) - ((rising[index] ?? 0) - baseMs) / (topMs - baseMs),
  )
  const bend = Math.max(...below)
  const level = levels[below.indexOf(bend)]
  return level === undefined || bend < bendMin
    ? { outcome: 'none', why: 'steady', baseMs, topMs, topLoad: last.load }
    : { outcome: 'seen', level, baseMs, topMs, bend }
}

/** The rising curve that is nearest to the latencies, by pooling adjacent violators; levels weigh as their moments. */
function isotonic(levels: readonly LoadLevel[]): number[] {
  const pools: { mean: number; weight: number; length: number }[] = []
  for (const { latencyMs, momentCount } of levels) {
    let pool = { mean: latencyMs, weight: momentCount, length: 1 }
    for (let before = pools.at(-1); before !== undefined && before.mean >= pool.mean; before = pools.at(-1)) {
      pools.pop()
      const weight = before.weight + pool.weight
      pool = {
        mean: (before.mean * before.weight + pool.mean * pool.weight) / weight,
        weight,
        length: before.length + pool.length,
      }
    }
    pools.push(pool)
  }
  return pools.flatMap(({ mean, length }) => Array.from({ length }, () => mean))
}
