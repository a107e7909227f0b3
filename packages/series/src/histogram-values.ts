import { highestOf, lowestOf, slotOf, valueMax } from './slots.ts'
import type { Histogram } from './tick.ts'

/** How many values it holds. */
export function countOf({ counts }: Histogram): number {
  let total = 0
  // Not an iterator, which takes several times as long.
  for (let index = 0; index < counts.length; index++) total += counts[index] ?? 0
  return total
}

/** Microseconds; within 0.1 %, as all that follow. Null of no values. */
export function minOf({ slots }: Histogram): number | null {
  const first = slots[0]
  return first === undefined ? null : lowestOf(first)
}

export function maxOf({ slots }: Histogram): number | null {
  const last = slots.at(-1)
  return last === undefined ? null : highestOf(last)
}

/** Reckoned with the middle of each slot. */
export function meanOf({ slots, counts }: Histogram): number | null {
  let total = 0
  let sum = 0
  for (let index = 0; index < slots.length; index++) {
    const count = counts[index] ?? 0
    total += count
    sum += count * middleOf(slots[index] ?? 0)
  }
  return total === 0 ? null : sum / total
}

/** Reckoned with the middle of each slot, over all values: not that of a sample. */
export function deviationOf(histogram: Histogram): number | null {
  const mean = meanOf(histogram)
  if (mean === null) return null
  const { slots, counts } = histogram
  let squares = 0
  for (let index = 0; index < slots.length; index++)
    squares += (counts[index] ?? 0) * (middleOf(slots[index] ?? 0) - mean) ** 2
  return Math.sqrt(squares / countOf(histogram))
}

/**
 * The smallest value that as large a share of all values does not exceed, as HdrHistogram's `getValueAtPercentile`: the
 * highest value of its slot. Percentiles of several histograms are those of their sum, and of nothing else.
 * @param percent from 0 to 100
 */
export function percentileOf(histogram: Histogram, percent: number): number | null {
  return percentilesOf(histogram, [percent])[0] ?? null
}

/** The same for many in one pass; in any order. */
export function percentilesOf(histogram: Histogram, percents: readonly number[]): (number | null)[] {
  const total = countOf(histogram)
  const { slots, counts } = histogram
  const values = percents.map((): number | null => null)
  if (total === 0) return values
  let index = -1
  let seen = 0
  for (const [place, percent] of [...percents.entries()].toSorted(([, a], [, b]) => a - b)) {
    const wanted = rankOf(percent, total)
    while (seen < wanted) seen += counts[++index] ?? 0
    values[place] = highestOf(slots[index] ?? 0)
  }
  return values
}

/** The share of values that are no longer than that many microseconds. */
export function shareWithin(histogram: Histogram, microseconds: number): number | null {
  const total = countOf(histogram)
  return total === 0 ? null : countWithin(histogram, microseconds) / total
}

/** How many values are no longer than that; those in the same slot are taken for as long. */
export function countWithin({ slots, counts }: Histogram, microseconds: number): number {
  if (microseconds < 0) return 0
  const last = slotOf(Math.min(Math.floor(microseconds), valueMax))
  let within = 0
  for (let index = 0; (slots[index] ?? Infinity) <= last; index++) within += counts[index] ?? 0
  return within
}

/** Values from `fromUs` to below `toUs`. */
export interface DistributionBar {
  fromUs: number
  toUs: number
  count: number
}

/** Bars of equal width from the smallest to the largest value, for a chart of the histogram; a slot counts where its middle is. */
export function distributionBars(histogram: Histogram, barsMax: number): DistributionBar[] {
  const min = minOf(histogram)
  const max = maxOf(histogram)
  if (min === null || max === null) return []
  const width = roundWidth((max + 1 - min) / barsMax)
  const first = Math.floor(min / width)
  const bars: DistributionBar[] = []
  for (let bar = first; bar * width <= max; bar++)
    bars.push({ fromUs: bar * width, toUs: (bar + 1) * width, count: 0 })
  for (const [index, slot] of histogram.slots.entries()) {
    const bar = bars[Math.floor(middleOf(slot) / width) - first]
    if (bar) bar.count += histogram.counts[index] ?? 0
  }
  return bars
}

export interface PercentilePoint {
  percent: number
  valueUs: number
}

/**
 * The curve of percentiles: closer and closer to 100, five points for each halving of the distance, as HdrHistogram's
 * `percentiles(5)`; the last is 100.
 */
export function percentileCurve(histogram: Histogram): PercentilePoint[] {
  const total = countOf(histogram)
  if (total === 0) return []
  const percents: number[] = []
  for (let halving = 0; 0.5 ** halving * total >= 1; halving++) {
    const distance = 100 * 0.5 ** halving
    for (let step = 0; step < 5; step++) percents.push(100 - distance + (step * distance) / 10)
  }
  percents.push(100)
  const values = percentilesOf(histogram, percents)
  return percents.map((percent, index) => ({ percent, valueUs: values[index] ?? 0 }))
}

/** The place of the value in the order of all, from 1. */
function rankOf(percent: number, total: number): number {
  const share = Math.min(Math.max(percent, 0), 100) / 100
  // 99.9 % of 1,000 is 999, whatever binary fractions make of it.
  return Math.max(1, Math.min(total, Math.ceil(share * total - 1e-12 * total)))
}

function middleOf(slot: number): number {
  return (lowestOf(slot) + highestOf(slot)) / 2
}

/** The next larger 1, 2 or 5 times a power of ten, and at least 1. */
function roundWidth(width: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, width)))
  return [1, 2, 5].map((times) => times * power).find((rounded) => rounded >= width) ?? 10 * power
}
