import { limits } from '../limits.ts'
import { PairTable } from '../pair-table.ts'
import { selfValuesOf, type Profile } from '../profile.ts'
import { functionOrigin, originsOf } from '../questions/function-origin.ts'
import { CannotCompareError } from './cannot-compare-error.ts'
import { sameFunctions } from './same-functions.ts'

/**
 * Where memory is allocated: the innermost function of the program itself, and the function that the allocation is counted
 * at where that is another one, such as `runtime.mallocgc` or `bytes.makeSlice`.
 */
export interface HeapSite {
  functionName: string
  file: string
  /** Of a stack through the function; 0 when not known. */
  line: number
  origin: string
  /** Absent where the function allocates itself. */
  allocator?: string
  /** From the function of the program to the allocator, as the first stack with it goes; `…` for what is left out. */
  path: string[]
}

/** The same sites in several heap profiles. Entry `i` of each column is about site `i`. */
export interface HeapSites {
  siteCount: number
  /** The columns of each profile. */
  columns: HeapColumns[]
  /** What one sample stands for, in bytes: what profiles cannot tell apart. Little where every allocation is counted. */
  sampleBytes: number
  describe(site: number): HeapSite
}

/** Of one profile; what its format does not tell is absent. */
export interface HeapColumns {
  /** Bytes in use when the profile was taken. */
  inUse: Float64Array
  inUseObjects?: Float64Array
  /** Bytes allocated since the program started. */
  allocated?: Float64Array
}

/** No profiler samples more seldom unless it is told to: Go, jemalloc and gperftools 512 KiB, V8 32 KiB. */
const longestInterval = 512 * 1024

/** Functions between the program's own and the one that allocates. */
const pathLength = 12

/** What formats call these, in pprof's words. */
const sampleTypes = {
  inUse: 'inuse_space',
  inUseObjects: 'inuse_objects',
  allocated: 'alloc_space',
} as const
type ColumnName = keyof typeof sampleTypes

/** Where a site was seen first: the path to it is worked out for the few that are told. */
interface Example {
  profile: Profile
  /** Where the allocation is counted, and the function of the program that it is for. */
  node: number
  owner: number
}

/** @throws CannotCompareError when a profile does not tell what is in use, or there are too many sites */
export function heapSites(profiles: readonly Profile[]): HeapSites {
  const { functions, functionsOf } = sameFunctions(profiles, { areOfOneProgram: true })
  const maxCount = Math.floor(limits.values / (Object.keys(sampleTypes).length * profiles.length))
  const table = new PairTable({
    valueWidth: 1,
    maxCount,
    overflow: () => new CannotCompareError(`there are more than ${maxCount} allocation sites`),
  })
  const examples: Example[] = []
  const placed = profiles.map((profile, index) => {
    const owners = ownersOf(profile)
    const sites = sitesOfNodes(profile, owners, functionsOf[index]!, table)
    for (let node = 0; node < sites.length; node++)
      examples[sites[node]!] ??= { profile, node, owner: owners[node]! }
    return sites
  })
  const siteCount = table.count
  const { names, files, originRules } = functions
  return {
    siteCount,
    columns: profiles.map((profile, index) => columnsOf(profile, placed[index]!, siteCount)),
    sampleBytes: Math.min(longestInterval, ...profiles.map(smallestAllocation)),
    describe: (site) => {
      const [owner, leaf] = [table.firsts[site]!, table.seconds[site]!]
      const [functionName, file] = [names[owner]!, files[owner]!]
      return {
        functionName,
        file,
        origin: functionOrigin(functionName, file, originRules),
        ...(leaf === owner ? {} : { allocator: names[leaf]! }),
        ...wayToSite(examples[site]!),
      }
    },
  }
}

/** Per node, the site of what is allocated there; 0 for the root. */
function sitesOfNodes(
  { nodes: { functionIndexes } }: Profile,
  owners: Int32Array,
  functionOf: Int32Array,
  table: PairTable,
): Int32Array {
  const sites = new Int32Array(owners.length)
  for (let node = 1; node < sites.length; node++) {
    const owner = functionIndexes[owners[node]!]!
    sites[node] = table.intern(functionOf[owner]!, functionOf[functionIndexes[node]!]!)
  }
  return sites
}

/** Per node, the node of the function of the program that everything below it is allocated for; 0 for the root. */
function ownersOf({ nodes, functions }: Profile): Int32Array {
  const ranks = Uint8Array.from(originsOf(functions), ownership)
  const { parents, functionIndexes } = nodes
  const owners = new Int32Array(parents.length)
  for (let node = 1; node < parents.length; node++) {
    const above = owners[parents[node]!]!
    const rankAbove = above === 0 ? 0 : ranks[functionIndexes[above]!]!
    owners[node] = ranks[functionIndexes[node]!]! >= rankAbove ? node : above
  }
  return owners
}

/** Of the functions of a stack, the innermost of those with the highest number owns what is allocated. */
function ownership(origin: string): number {
  switch (origin) {
    case 'User code':
      return 4
    case 'Unknown':
      return 3
    case 'Standard library':
      return 1
    case 'Runtime':
    case 'Kernel':
      return 0
    default:
      return 2
  }
}

function wayToSite({ profile, node, owner }: Example): Pick<HeapSite, 'path' | 'line'> {
  const { parents, functionIndexes, lines } = profile.nodes
  const nameOf = (place: number) => profile.functions.names[functionIndexes[place]!]!
  const path: string[] = []
  let place = node
  for (; place !== owner && path.length < pathLength; place = parents[place]!) path.push(nameOf(place))
  if (place !== owner) path.push('…')
  path.push(nameOf(owner))
  return { path: path.toReversed(), line: lines[owner]! }
}

function columnsOf(profile: Profile, sites: Int32Array, siteCount: number): HeapColumns {
  const columnOf = (name: ColumnName): Float64Array | undefined => {
    const index = indexOf(profile, name)
    if (index === undefined) return undefined
    const column = new Float64Array(siteCount)
    const values = selfValuesOf(profile, index)
    for (let node = 0; node < values.length; node++) column[sites[node]!]! += values[node]!
    return column
  }
  const inUse = columnOf('inUse')
  if (inUse === undefined) {
    const types = profile.sampleTypes.map(({ type }) => type).join(', ')
    throw new CannotCompareError(`a profile does not tell what is in use: it has ${types}`)
  }
  const inUseObjects = columnOf('inUseObjects')
  const allocated = countsSinceStart(profile) ? columnOf('allocated') : undefined
  return {
    inUse,
    ...(inUseObjects === undefined ? {} : { inUseObjects }),
    ...(allocated === undefined ? {} : { allocated }),
  }
}

/**
 * Go counts allocations from the start of the program on. Profiles with a duration have those of that time, and other
 * formats are of one recording, so that nothing can be told of what was allocated between two of them.
 */
function countsSinceStart({ format, durationMs }: Profile): boolean {
  return (format === 'pprof' || format === 'pprof_text') && durationMs === undefined
}

function indexOf(profile: Profile, name: ColumnName): number | undefined {
  const index = profile.sampleTypes.findIndex(({ type }) => type === sampleTypes[name])
  return index < 0 ? undefined : index
}

/**
 * A sampled allocation counts for all that were not sampled. So the smallest value of a place where many small things are
 * allocated is about the sampling interval.
 */
function smallestAllocation(profile: Profile): number {
  const index = indexOf(profile, 'allocated') ?? indexOf(profile, 'inUse')
  let smallest = Infinity
  if (index === undefined) return smallest
  for (const value of selfValuesOf(profile, index)) if (value > 0 && value < smallest) smallest = value
  return smallest
}
