import type { Moment } from './measured-run.ts'
import { middleOf } from './middle-of.ts'

export type WarmUp =
  | { outcome: 'warmed_up'; seconds: number; beforeMs: number; afterMs: number }
  | { outcome: 'none' }
  | { outcome: 'unknown' }

const momentsMin = 20
/** How many times as long answers took at first, for it to be told. */
const slowerMin = 1.3

/**
 * How long answers took longer at the beginning than later, with no more load: caches were cold, code was not compiled yet. What
 * is left out so that the mean of the rest is known best is the warm-up, by MSER (White 1997, "An effective truncation
 * heuristic for bias reduction in simulation output"), of the first half at most.
 */
export function findWarmUp(moments: readonly Moment[]): WarmUp {
  const known = moments.filter(({ p50Ms, load }) => p50Ms !== null && load > 0)
  if (known.length < momentsMin) return { outcome: 'unknown' }
  const values = known.map(({ p50Ms }) => p50Ms ?? 0)
  const length = truncation(values)
  const [before, after] = [known.slice(0, length), known.slice(length)]
  const start = before[0]
  const next = after[0]
  if (start === undefined || next === undefined) return { outcome: 'none' }
  const isMoreLoaded = middleOf(before.map(({ load }) => load)) > middleOf(after.map(({ load }) => load))
  const [beforeMs, afterMs] = [middleOf(values.slice(0, length)), middleOf(values.slice(length))]
  if (isMoreLoaded || beforeMs < slowerMin * afterMs) return { outcome: 'none' }
  return { outcome: 'warmed_up', seconds: next.second - start.second, beforeMs, afterMs }
}

/** How many of the first values to leave out, for the smallest squared standard error of the mean of the others. */
function truncation(values: readonly number[]): number {
  const half = Math.floor(values.length / 2)
  const errors = Array.from({ length: half + 1 }, (_, length) => {
    const rest = values.slice(length)
    const mean = rest.reduce((sum, value) => sum + value, 0) / rest.length
    return rest.reduce((sum, value) => sum + (value - mean) ** 2, 0) / rest.length ** 2
  })
  return errors.indexOf(Math.min(...errors))
}
