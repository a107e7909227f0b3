import { totalOf, type RequestBucket } from '@flamegate/series'

/** A run, cut into blocks of time that are nearly independent of each other. */
export interface Blocks {
  parts: readonly RequestBucket[]
  /** All of them together; undefined when there are none. */
  total: RequestBucket | undefined
}

/** As many as keep each of them long: neighbouring seconds are alike, neighbouring tenths of a run hardly. */
const blocksMax = 12

/** Buckets of equal length, put together until they are few enough. */
export function blocksOf(buckets: readonly RequestBucket[]): Blocks {
  const size = Math.ceil(buckets.length / blocksMax)
  const parts = buckets.flatMap((_, index) =>
    index % size === 0 ? (totalOf(buckets.slice(index, index + size)) ?? []) : [],
  )
  return { parts, total: totalOf(parts) }
}
