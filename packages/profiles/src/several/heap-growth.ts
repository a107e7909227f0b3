import type { Profile } from '../profile.ts'
import {
  allocatedBetween,
  burstKept,
  burstShare,
  growthError,
  hasRestarted,
  noticedShare,
  sureErrors,
} from './heap-amounts.ts'
import { heapSites, type HeapSite } from './heap-sites.ts'
import { sum } from './sum.ts'

/**
 * What a site does between two heap profiles: `growing` keeps more than before, as a leak does; `burst` allocated much and
 * gave it back; `shrinking` keeps less; `steady` is none of these.
 */
export type GrowthKind = 'growing' | 'burst' | 'shrinking' | 'steady'

/** A site with what it has, in bytes. */
export interface SiteGrowth extends HeapSite {
  kind: GrowthKind
  baseInUse: number
  headInUse: number
  /** head − base. Of all sites, these add up to the growth of the heap. */
  growth: number
  /** Absent where nothing was in use in base. */
  growthPercent?: number
  objectGrowth?: number
  /** What was allocated between the profiles; absent when not known. */
  allocated?: number
  /** What of it is still in use, from 0 to 1; absent when nothing was allocated, or it is not known. */
  keptShare?: number
  /** Whether it is more than two samplings of the same heap differ by. */
  isSure: boolean
}

/** Amounts are in bytes. */
export interface HeapGrowth {
  baseInUse: number
  headInUse: number
  growth: number
  /** Absent when not known. */
  allocated?: number
  /** What one sample stands for. */
  sampleBytes: number
  /** The largest growth first; of each kind, no more than `limit`. */
  growing: SiteGrowth[]
  shrinking: SiteGrowth[]
  /** The most allocated first. */
  bursts: SiteGrowth[]
  /** How many sites there are of each kind. */
  counts: Record<GrowthKind, number>
  /** Growth of all sites that are not listed. */
  othersGrowth: number
  warnings: string[]
}

/**
 * What grew between two heap profiles of a running program, by allocation site. A site that grew by less than
 * `thresholdPercent` of what it had is steady.
 *
 * @throws CannotCompareError when one of them does not tell what is in use
 */
export function heapGrowth(
  base: Profile,
  head: Profile,
  { limit, thresholdPercent }: { limit: number; thresholdPercent: number },
): HeapGrowth {
  const sites = heapSites([base, head])
  const [before, after] = [sites.columns[0]!, sites.columns[1]!]
  const [baseInUse, headInUse] = [sum(before.inUse), sum(after.inUse)]
  const allocated = allocatedBetween(sites, 0)
  const noticed = noticedShare * Math.max(baseInUse, headInUse)

  const growthOf = (site: number) => after.inUse[site]! - before.inUse[site]!
  const allocatedOf = (site: number) => allocated?.bySite[site]
  const isSure = (site: number) => {
    const error = growthError(before.inUse[site]!, after.inUse[site]!, allocatedOf(site), sites.sampleBytes)
    return Math.abs(growthOf(site)) > sureErrors * error
  }
  const kindOf = (site: number): GrowthKind => {
    const growth = growthOf(site)
    const between = allocatedOf(site) ?? 0
    const isMuch =
      Math.abs(growth) > noticed && Math.abs(growth) >= (before.inUse[site]! * thresholdPercent) / 100
    // A leak may hide among much that comes and goes; then what is kept must be more than chance.
    if (isMuch && growth > 0 && (growth > burstKept * between || isSure(site))) return 'growing'
    const isLarge = between > 0 && between >= burstShare * (allocated?.total ?? 0)
    if (isLarge && growth <= burstKept * between) return 'burst'
    return isMuch && growth < 0 ? 'shrinking' : 'steady'
  }
  const describe = (site: number, kind: GrowthKind): SiteGrowth => {
    const growth = growthOf(site)
    const between = allocatedOf(site)
    return {
      ...sites.describe(site),
      kind,
      baseInUse: before.inUse[site]!,
      headInUse: after.inUse[site]!,
      growth,
      ...(before.inUse[site]! > 0 ? { growthPercent: (100 * growth) / before.inUse[site]! } : {}),
      ...(before.inUseObjects && after.inUseObjects
        ? { objectGrowth: after.inUseObjects[site]! - before.inUseObjects[site]! }
        : {}),
      ...(between === undefined ? {} : { allocated: between }),
      ...(between ? { keptShare: Math.min(1, Math.max(0, growth / between)) } : {}),
      isSure: isSure(site),
    }
  }

  const sitesOfKind: Record<GrowthKind, number[]> = { growing: [], burst: [], shrinking: [], steady: [] }
  for (let site = 1; site < sites.siteCount; site++) sitesOfKind[kindOf(site)].push(site)
  const largest = (kind: GrowthKind, sizeOf: (site: number) => number) =>
    sitesOfKind[kind]
      .toSorted((a, b) => sizeOf(b) - sizeOf(a))
      .slice(0, limit)
      .map((site) => describe(site, kind))
  const growing = largest('growing', growthOf)
  const shrinking = largest('shrinking', (site) => -growthOf(site))
  const bursts = largest('burst', (site) => allocatedOf(site) ?? 0)
  const listed = sum([...growing, ...shrinking, ...bursts].map(({ growth }) => growth))
  return {
    baseInUse,
    headInUse,
    growth: headInUse - baseInUse,
    ...(allocated === undefined ? {} : { allocated: allocated.total }),
    sampleBytes: sites.sampleBytes,
    growing,
    shrinking,
    bursts,
    counts: {
      growing: sitesOfKind.growing.length,
      burst: sitesOfKind.burst.length,
      shrinking: sitesOfKind.shrinking.length,
      steady: sitesOfKind.steady.length,
    },
    othersGrowth: headInUse - baseInUse - listed,
    warnings: hasRestarted(sites, 0)
      ? [
          'Less had been allocated in all when head was taken than when base was: the program was restarted between them, ' +
            'or they are of two programs. What each keeps in use is compared.',
        ]
      : allocated === undefined
        ? ['These profiles tell what is in use, but not what was allocated: bursts cannot be told.']
        : [],
  }
}
