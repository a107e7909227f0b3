import { median } from '@flamegate/benchmarks/arithmetic'
import type { McpReport } from '../report.ts'
import { thresholds } from './thresholds.ts'
import { trendOf } from './trend.ts'

/** How memory went over a measurement. */
export interface MemoryGrowth {
  /** What was looked at: the heap after garbage collections tells what is kept, resident memory more than that. */
  of: 'heap_after_gc' | 'resident_memory'
  samples: number
  /** From the first to the last sample, by the median of the slopes between all pairs. */
  growthBytes: number
  bytesPerHour: number
  /** Null where no call came to an answer. */
  bytesPerCall: number | null
  /** How probable so clear a rise is without a trend. */
  pValue: number
  /** It rises, is told from chance, and goes on in the last third: what fills up a cache comes to its end. */
  isRising: boolean
}

/** Of resident memory, which a start that allocates raises: this share of the samples is left out at first. */
const settlingShare = 0.25
/** Of an even growth a third is between the middle and the last third of the samples; this share of all is enough. */
const laterShareMin = 1 / 8

/** How memory went; undefined where it was seen too seldom to tell. */
export function memoryGrowth({ inside, resources, load }: McpReport): MemoryGrowth | undefined {
  const endMs = load?.durationMs ?? Infinity
  const collected = (inside?.heap ?? [])
    .filter(({ isAfterGc }) => isAfterGc)
    // The first after the load tells what it left; those after that, which were late, the same again.
    .filter((_sample, at, all) => (all[at - 1]?.atMs ?? 0) < endMs)
  const isHeap = collected.length >= thresholds.leakHeapSamplesMin
  const underLoad = resources.filter(({ atMs }) => atMs >= 0 && atMs <= endMs)
  const settled = underLoad.slice(Math.floor(settlingShare * underLoad.length))
  if (!isHeap && settled.length < thresholds.leakSamplesMin) return undefined
  const points = isHeap
    ? collected.map(({ atMs, heapUsedBytes }) => ({ atMs, value: heapUsedBytes }))
    : settled.map(({ atMs, rssBytes }) => ({ atMs, value: rssBytes }))
  const trend = trendOf(points)
  if (trend === undefined) return undefined
  const third = Math.ceil(points.length / 3)
  const values = points.map(({ value }) => value)
  const later = median(values.slice(-third)) - median(values.slice(-2 * third, -third))
  return {
    of: isHeap ? 'heap_after_gc' : 'resident_memory',
    samples: points.length,
    growthBytes: trend.growth,
    bytesPerHour: trend.slope * 3_600_000,
    bytesPerCall: load === null || load.ended === 0 ? null : trend.growth / load.ended,
    pValue: trend.pValue,
    isRising:
      trend.growth > 0 &&
      (trend.pValue < thresholds.leakPMax || trend.tau === 1) &&
      later >= laterShareMin * trend.growth,
  }
}
