import type { Profile } from '../profile.ts'
import {
  allocatedBetween,
  burstShare,
  growthError,
  hasRestarted,
  noticedShare,
  sureErrors,
  type Allocated,
} from './heap-amounts.ts'
import { heapSites, type HeapSite, type HeapSites } from './heap-sites.ts'
import { sum } from './sum.ts'
import { theilSen, type Trend } from './theil-sen.ts'

/**
 * What a site does over a series of heap profiles: `growing` keeps more and more, as a leak does; `levelled_off` grew, and
 * then no more, as a cache does that is full; `burst` took much, or allocated much, and gave it back; `shrinking` keeps less
 * and less; `steady` is none of these.
 */
export type SeriesKind = 'growing' | 'levelled_off' | 'burst' | 'shrinking' | 'steady'

/**
 * How sure a trend is: `sure` when the confidence interval of its slope is on one side of zero; `likely` when there are too
 * few profiles for an interval, but every step goes one way, by more than sampling alone would do; else `possible`.
 */
export type Certainty = 'sure' | 'likely' | 'possible'

/** A trend of bytes in use. */
export interface HeapTrend {
  /** Bytes in use, one per profile. */
  inUse: number[]
  /** Last − first. */
  growth: number
  slopePerHour: number
  /** The confidence interval of the slope; absent when the series is too short for one. */
  slopeLowPerHour?: number
  slopeHighPerHour?: number
  /** Of the steps from one profile to the next, how many go up, from 0 to 1. */
  risingShare: number
  certainty: Certainty
  /** What would be in use after as much time again, if it goes on so; its ends are absent with those of the slope. */
  projected: { inUse: number; low?: number; high?: number }
}

export interface SiteTrend extends HeapSite, HeapTrend {
  kind: SeriesKind
  /** Last − first; absent when not known. */
  objectGrowth?: number
  /** Bytes that were allocated during the series; absent when not known. */
  allocated?: number
}

export interface HeapSeries {
  /** Of all memory in use. */
  whole: HeapTrend
  /** Bytes allocated up to each profile since the one before; absent where not known, and for the first. */
  allocated: (number | undefined)[]
  sampleBytes: number
  /** Of each kind but steady, the largest first; no more than `limit`. */
  growing: SiteTrend[]
  levelledOff: SiteTrend[]
  bursts: SiteTrend[]
  shrinking: SiteTrend[]
  counts: Record<SeriesKind, number>
  /** Growth of all sites that are not listed. */
  othersGrowth: number
  warnings: string[]
}

/** More sites than anybody looks at; pairs of profiles are worked out for each. */
const judgedSites = 500
/** What changes after the middle of the series by less than this share of all growth has come to its end. */
const levelledShare = 0.1

/**
 * The trends of a series of heap profiles of a running program, by allocation site. `timesMs` say when each was taken, in
 * rising order.
 *
 * @throws CannotCompareError when one of them does not tell what is in use
 * @throws RangeError when there are fewer than three, or times do not rise
 */
export function heapSeries(
  profiles: readonly Profile[],
  timesMs: readonly number[],
  { limit, confidence }: { limit: number; confidence: number },
): HeapSeries {
  if (profiles.length < 3) throw new RangeError('A series has at least three profiles')
  if (timesMs.some((time, index) => index > 0 && !(time > timesMs[index - 1]!)))
    throw new RangeError('Times of a series rise')
  const sites = heapSites(profiles)
  const steps = Array.from({ length: profiles.length - 1 }, (_, earlier) => allocatedBetween(sites, earlier))
  const hours = timesMs.map((time) => (time - timesMs[0]!) / 3_600_000)
  const series = { sites, steps, hours, confidence }

  const inUse = sites.columns.map((columns) => sum(columns.inUse))
  const noticed = noticedShare * Math.max(...inUse)
  const allocatedInAll = sum(steps.map((step) => step?.total ?? 0))
  const judged = sitesWorthJudging(sites, noticed, (site) => {
    return allocatedAt(steps, site) >= burstShare * allocatedInAll && allocatedInAll > 0
  })
  const trends = judged.map((site) => trendOfSite(series, site, noticed, allocatedInAll))
  const of = (kind: SeriesKind, sizeOf: (trend: SiteTrend) => number) =>
    trends
      .filter((trend) => trend.kind === kind)
      .toSorted((a, b) => sizeOf(b) - sizeOf(a))
      .slice(0, limit)
  const listed = {
    growing: of('growing', ({ growth }) => growth),
    levelledOff: of('levelled_off', ({ growth }) => growth),
    bursts: of('burst', ({ allocated, inUse: own }) => allocated ?? Math.max(...own)),
    shrinking: of('shrinking', ({ growth }) => -growth),
  }
  const growthListed = sum(Object.values(listed).flatMap((rows) => rows.map(({ growth }) => growth)))
  const counts = {
    growing: 0,
    levelled_off: 0,
    burst: 0,
    shrinking: 0,
    steady: sites.siteCount - 1 - judged.length,
  }
  for (const { kind } of trends) counts[kind]++
  const error = growthError(inUse[0]!, inUse.at(-1)!, allocatedInAll || undefined, sites.sampleBytes)
  const whole = trendOf(inUse, series, error)
  return {
    whole,
    allocated: [undefined, ...steps.map((step) => step?.total)],
    sampleBytes: sites.sampleBytes,
    ...listed,
    counts,
    othersGrowth: whole.growth - growthListed,
    warnings: warningsOf(sites, steps),
  }
}

interface Series {
  sites: HeapSites
  steps: readonly (Allocated | undefined)[]
  hours: readonly number[]
  confidence: number
}

/** Those whose memory changes, or that allocate much; the largest changes first. */
function sitesWorthJudging(
  { columns, siteCount }: HeapSites,
  noticed: number,
  allocatesMuch: (site: number) => boolean,
): number[] {
  const ranges = new Float64Array(siteCount)
  for (let site = 1; site < siteCount; site++) {
    const values = columns.map(({ inUse }) => inUse[site]!)
    ranges[site] = Math.max(...values) - Math.min(...values)
  }
  return Array.from({ length: siteCount - 1 }, (_, index) => index + 1)
    .filter((site) => ranges[site]! > noticed || allocatesMuch(site))
    .toSorted((a, b) => ranges[b]! - ranges[a]!)
    .slice(0, judgedSites)
}

function trendOfSite(series: Series, site: number, noticed: number, allocatedInAll: number): SiteTrend {
  const { sites, steps } = series
  const inUse = sites.columns.map((columns) => columns.inUse[site]!)
  const isKnown = steps.every((step) => step !== undefined)
  const allocated = isKnown ? allocatedAt(steps, site) : undefined
  const error = growthError(inUse[0]!, inUse.at(-1)!, allocated, sites.sampleBytes)
  const trend = trendOf(inUse, series, error)
  const [first, last] = [sites.columns[0]!.inUseObjects, sites.columns.at(-1)!.inUseObjects]
  return {
    ...sites.describe(site),
    ...trend,
    kind: kindOf(trend, { noticed, error, isBusy: (allocated ?? 0) >= burstShare * allocatedInAll }),
    ...(first && last ? { objectGrowth: last[site]! - first[site]! } : {}),
    ...(allocated === undefined ? {} : { allocated }),
  }
}

function trendOf(inUse: number[], { hours, confidence }: Series, error: number): HeapTrend {
  const trend: Trend = theilSen(hours, inUse, confidence) ?? { slope: 0, intercept: inUse[0]! }
  const { slope, low, high } = trend
  const steps = inUse.slice(1).map((value, index) => value - inUse[index]!)
  const growth = inUse.at(-1)! - inUse[0]!
  const span = hours.at(-1)!
  const goesOneWay = steps.every((step) => step > 0) || steps.every((step) => step < 0)
  const hasInterval = low !== undefined && high !== undefined
  const isSure = hasInterval && (low > 0 || high < 0)
  const isLikely = !hasInterval && goesOneWay && Math.abs(growth) > sureErrors * error
  // From where the line is now, not from the last profile, which may be an outlier.
  const now = trend.intercept + slope * span
  const after = (each: number) => Math.max(0, now + each * span)
  return {
    inUse,
    growth,
    slopePerHour: slope,
    ...(hasInterval ? { slopeLowPerHour: low, slopeHighPerHour: high } : {}),
    risingShare: steps.filter((step) => step > 0).length / steps.length,
    certainty: isSure ? 'sure' : isLikely ? 'likely' : 'possible',
    projected: { inUse: after(slope), ...(hasInterval ? { low: after(low), high: after(high) } : {}) },
  }
}

function kindOf(
  { inUse, growth, slopePerHour, slopeLowPerHour, certainty }: HeapTrend,
  { noticed, error, isBusy }: { noticed: number; error: number; isBusy: boolean },
): SeriesKind {
  const isMuch = Math.abs(growth) > Math.max(noticed, certainty === 'possible' ? sureErrors * error : 0)
  if (isMuch && growth > 0 && hasLevelledOff(inUse, growth)) return 'levelled_off'
  // An interval with zero in it says that there may be no trend.
  const hasTrend = certainty !== 'possible' || slopeLowPerHour === undefined
  if (isMuch && hasTrend && growth > 0 && slopePerHour > 0) return 'growing'
  if (isMuch && hasTrend && growth < 0 && slopePerHour < 0) return 'shrinking'
  const isSpike = Math.max(...inUse) - Math.max(inUse[0]!, inUse.at(-1)!) > noticed
  return isBusy || isSpike ? 'burst' : 'steady'
}

/** From the middle on, everything is about what there is in the end, and before, nothing is above it. */
function hasLevelledOff(inUse: readonly number[], growth: number): boolean {
  const last = inUse.at(-1)!
  const tolerated = levelledShare * growth
  return (
    inUse.length >= 4 &&
    inUse.slice(inUse.length >> 1).every((value) => Math.abs(value - last) <= tolerated) &&
    inUse.every((value) => value <= last + tolerated)
  )
}

function allocatedAt(steps: readonly (Allocated | undefined)[], site: number): number {
  return sum(steps.map((step) => step?.bySite[site] ?? 0))
}

function warningsOf(sites: HeapSites, steps: readonly (Allocated | undefined)[]): string[] {
  const restarts = steps.filter((_, earlier) => hasRestarted(sites, earlier)).length
  if (restarts > 0)
    return [
      `The program was restarted during the series (${restarts === 1 ? 'once' : `${restarts} times`}: less had been ` +
        'allocated in all than before). A trend over a restart says little: look at the profiles between two.',
    ]
  return steps.some((step) => step === undefined)
    ? ['These profiles tell what is in use, but not what was allocated: bursts are told from spikes alone.']
    : []
}
