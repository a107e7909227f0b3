import { dip } from './statistics/dip-test.ts'
import { quantile } from './statistics/describe-rounds.ts'

/** Two groups in which the rounds of a benchmark lie. */
export interface Humps {
  /** Medians of the groups. */
  low: number
  high: number
  /** The share of the rounds in the lower. */
  lowShare: number
}

/** Of uniform samples, the unimodal ones that look most like two humps, at most one in 200 has a larger √n · dip. */
const DIP_MAX = 0.65
/** More rounds are represented by so many of them. */
const ROUNDS_MAX = 1000
/** Groups that are closer are of no consequence. */
const DISTANCE_MIN = 0.02
/** A smaller group is a few outliers. */
const SHARE_MIN = 0.1

/** Finds whether rounds have two humps, by Hartigan's dip test, and where they are. @param sorted ascending */
export function twoHumps(sorted: readonly number[]): Humps | undefined {
  const step = Math.ceil(sorted.length / ROUNDS_MAX)
  const rounds = step === 1 ? sorted : sorted.filter((_, index) => index % step === 0)
  if (Math.sqrt(rounds.length) * dip(rounds) <= DIP_MAX) return undefined
  const lowCount = bestSplit(rounds)
  const low = quantile(rounds.slice(0, lowCount), 0.5)
  const high = quantile(rounds.slice(lowCount), 0.5)
  const lowShare = lowCount / rounds.length
  const isFar = high - low >= DISTANCE_MIN * Math.abs(low)
  return isFar && lowShare >= SHARE_MIN && lowShare <= 1 - SHARE_MIN ? { low, high, lowShare } : undefined
}

/** How many rounds the lower group has when the means of the two groups explain most of the variance (Otsu 1979). */
function bestSplit(rounds: readonly number[]): number {
  const total = rounds.reduce((sum, round) => sum + round, 0)
  let best = { count: 1, between: 0 }
  let below = 0
  for (let count = 1; count < rounds.length; count += 1) {
    below += rounds[count - 1] ?? 0
    const distance = (total - below) / (rounds.length - count) - below / count
    const between = count * (rounds.length - count) * distance ** 2
    if (between > best.between) best = { count, between }
  }
  return best.count
}
