import type { HeapSites } from './heap-sites.ts'
import { sum } from './sum.ts'

/** What was allocated from one profile to the next, in bytes. */
export interface Allocated {
  total: number
  bySite: Float64Array
}

/** What was allocated between a profile and the next; undefined when not known. */
export function allocatedBetween(sites: HeapSites, earlier: number): Allocated | undefined {
  const [before, after] = [sites.columns[earlier]?.allocated, sites.columns[earlier + 1]?.allocated]
  if (before === undefined || after === undefined || hasRestarted(sites, earlier)) return undefined
  const bySite = after.map((value, site) => Math.max(0, value - before[site]!))
  return { total: sum(bySite), bySite }
}

/** What was allocated since the start of a program never becomes less. */
export function hasRestarted({ columns }: HeapSites, earlier: number): boolean {
  const [before, after] = [columns[earlier]?.allocated, columns[earlier + 1]?.allocated]
  return before !== undefined && after !== undefined && sum(after) < sum(before)
}

/**
 * The standard error of the growth from `before` to `after`. Things that stay are the same samples in both profiles; what
 * came and went is sampled anew, and n samples of w bytes are off by w√n = √(bytes × w).
 */
export function growthError(
  before: number,
  after: number,
  allocated: number | undefined,
  sampleBytes: number,
): number {
  const came = Math.min(allocated ?? after, after)
  const went = allocated === undefined ? before : Math.min(before, Math.max(0, allocated - (after - before)))
  return Math.sqrt((came + went) * sampleBytes)
}

/** How many standard errors a growth must have to be more than chance, among hundreds of sites. */
export const sureErrors = 3
/** A site whose memory in use changes by less than this share of all memory in use is steady. */
export const noticedShare = 0.005
/** A site that allocated at least this share of all that was allocated, and kept little, is a burst. */
export const burstShare = 0.02
export const burstKept = 0.1
