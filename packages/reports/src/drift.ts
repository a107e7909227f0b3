import { middleOf } from './middle-of.ts'
import type { Moment } from './measured-run.ts'

export type Drift =
  | {
      outcome: 'drifts'
      share: number
      fromMs: number
      toMs: number
      fromSecond: number
      toSecond: number
      pValue: number
    }
  | { outcome: 'steady'; share: number; fromSecond: number; toSecond: number }
  | { outcome: 'unknown' }

const blocksMax = 20
const blocksMin = 8
const secondsMin = 60
/** A trend is probable only by so little where there is none. */
const significance = 0.01
/** Over the whole plateau; what is less is of no importance. */
const shareMin = 0.1

/**
 * Whether latency rose or fell slowly while the load stayed the same: the trend test of Mann (1945) and Kendall, on medians of up
 * to twenty blocks, so that neighbouring seconds, which are alike, do not count as independent; and by how much, as the
 * slope of Theil (1950) and Sen, which single slow blocks do not move.
 */
export function findDrift(plateau: readonly Moment[]): Drift {
  const known = plateau.filter(({ p50Ms }) => p50Ms !== null)
  const [first] = known
  const last = known.at(-1)
  const span = first === undefined || last === undefined ? 0 : last.second + last.seconds - first.second
  if (first === undefined || last === undefined || span < secondsMin || known.length < blocksMin)
    return { outcome: 'unknown' }
  const blocks = blocksOf(known)
  const medians = blocks.map((block) => middleOf(block.map(({ p50Ms }) => p50Ms ?? 0)))
  const slope = theilSen(medians)
  const middle = middleOf(medians)
  const change = slope * (medians.length - 1)
  const fromMs = middle - change / 2
  const share = fromMs <= 0 ? 0 : change / fromMs
  const place = { fromSecond: first.second, toSecond: last.second + last.seconds }
  const pValue = mannKendall(medians)
  return pValue < significance && Math.abs(share) >= shareMin
    ? { outcome: 'drifts', share, fromMs, toMs: fromMs + change, ...place, pValue }
    : { outcome: 'steady', share, ...place }
}

function blocksOf(moments: readonly Moment[]): Moment[][] {
  const count = Math.min(blocksMax, moments.length)
  return Array.from({ length: count }, (_, index) =>
    moments.slice(
      Math.floor((index * moments.length) / count),
      Math.floor(((index + 1) * moments.length) / count),
    ),
  )
}

/** The median of the slopes between all pairs, per step. */
function theilSen(values: readonly number[]): number {
  return middleOf(
    values.flatMap((value, at) => values.slice(at + 1).map((later, gap) => (later - value) / (gap + 1))),
  )
}

/** How probable a trend this clear is where there is none, of either direction; by the normal approximation, with ties. */
function mannKendall(values: readonly number[]): number {
  const count = values.length
  const signs = values.flatMap((value, at) => values.slice(at + 1).map((later) => Math.sign(later - value)))
  const score = signs.reduce((sum, sign) => sum + sign, 0)
  const ties = [...Map.groupBy(values, (value) => value).values()].map(({ length }) => length)
  const variance = (varianceTerm(count) - ties.reduce((sum, tie) => sum + varianceTerm(tie), 0)) / 18
  if (variance === 0) return 1
  const z = Math.max(0, Math.abs(score) - 1) / Math.sqrt(variance)
  return 2 * upperNormal(z)
}

function varianceTerm(count: number): number {
  return count * (count - 1) * (2 * count + 5)
}

/** P(Z > z) for z ≥ 0, to 7 digits (Abramowitz & Stegun 26.2.17). */
function upperNormal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return (series * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI)
}
