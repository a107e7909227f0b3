import { median, trimmedMean } from '@flamegate/benchmarks/arithmetic'

/** The level of a series of positive numbers on the scale of logarithms, and how sure it is. */
export interface SeriesLevel {
  logValue: number
  /** Of `logValue`. */
  variance: number
  df: number
  /** How much stretches of a fifth of the session differ, beyond what their blocks explain: what moves slowly. */
  slowVariance: number
}

/** With fewer blocks, or batches of them, their variance says nothing. */
const BLOCKS_MIN = 5

/**
 * The trimmed mean of the logarithms. Neighbours in time are alike, which makes a mean less sure than its numbers let
 * believe; so they are also taken together in twos, fours and so on, as long as there are five of them, and the largest
 * variance that is seen so is believed (batch means: Law & Kelton, Simulation Modeling and Analysis, chapter 9.5). Undefined
 * for fewer than five positive numbers.
 */
export function seriesLevel(values: readonly (number | null)[]): SeriesLevel | undefined {
  const logs = logsOf(values)
  if (logs.length < BLOCKS_MIN) return undefined
  const single = trimmedMean(ascending(logs))
  let { variance, df } = single
  for (const batches of batchings(logs)) {
    const level = trimmedMean(ascending(batches))
    if (level.variance > variance) ({ variance, df } = level)
  }
  const fifth = Math.floor(logs.length / BLOCKS_MIN)
  const fifths = Array.from({ length: BLOCKS_MIN }, (_, at) =>
    median(logs.slice(at * fifth, (at + 1) * fifth)),
  )
  const slowVariance = Math.max(0, varianceOf(fifths) - BLOCKS_MIN * single.variance)
  return { logValue: single.mean, variance, df, slowVariance }
}

/** The variance of the plain mean of numbers of which neighbours are alike, by batches as above; undefined of fewer than five. */
export function varianceOfMean(values: readonly number[]): number | undefined {
  if (values.length < BLOCKS_MIN) return undefined
  return Math.max(...[values, ...batchings(values)].map((each) => varianceOf(each) / each.length))
}

export function logsOf(values: readonly (number | null)[]): number[] {
  return values.flatMap((value) => (value !== null && value > 0 ? [Math.log(value)] : []))
}

function batchings(values: readonly number[]): number[][] {
  const all: number[][] = []
  for (let size = 2; values.length / size >= BLOCKS_MIN; size *= 2) all.push(batchMeans(values, size))
  return all
}

/** The means of neighbours, `size` together; what is left over at the end is left out. */
function batchMeans(values: readonly number[], size: number): number[] {
  return Array.from({ length: Math.floor(values.length / size) }, (_, at) =>
    meanOf(values.slice(at * size, (at + 1) * size)),
  )
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values)
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
}

function ascending(values: readonly number[]): number[] {
  return values.toSorted((a, b) => a - b)
}
