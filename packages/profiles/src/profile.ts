import type { HeapGraph } from './heap/heap-graph.ts'
import type { ProfileDetail } from './profile-detail.ts'

/** The file formats that `readProfile` understands. */
export const profileFormats = [
  'pprof',
  'cpuprofile',
  'heapprofile',
  'collapsed',
  'speedscope',
  'jfr',
  'callgrind',
  'dhat',
  'memtrack',
  'heapsnapshot',
  'goroutine_dump',
  'pprof_text',
  'trace_event',
  'firefox',
  'safari',
  'v8_log',
  'perf_script',
  'pmcstat',
  'instruments',
  'haskell',
  'stackprof',
  'pstats',
  'cprofile_text',
  'otlp',
] as const
export type ProfileFormat = (typeof profileFormats)[number]

/** What one value column measures, in pprof's words: `{ type: 'cpu', unit: 'nanoseconds' }`. */
export interface SampleType {
  type: string
  unit: string
}

/** Functions by index. Two functions are the same when name, file and start line are. */
export interface FunctionTable {
  names: string[]
  /** Source file, or the binary when the source is not known, or ''. */
  files: string[]
  /** 1-based line where the function starts; 0 when not known. */
  startLines: Int32Array
  /** Of the project that the profile is in; they go before those that are built in. */
  originRules?: readonly OriginRule[]
}

/** Says of functions whose code they are: those whose file or name has the pattern somewhere. `*` in it is any text. */
export interface OriginRule {
  in: 'file' | 'function'
  pattern: string
  /** As `functionOrigin` tells it. */
  origin: string
}

/**
 * The call tree, one entry per node, in depth-first order: a node comes after its parent, and a subtree is a
 * contiguous range. So totals are one backward pass, and "is my function already below me?" is one comparison.
 *
 *     node     0     1     2     3     4            main
 *     frame  (root) main  parse read  render       /    \
 *     parent  -1     0     1     2     1        parse   render
 *                                               read
 *
 * Node 0 is the root of all stacks and stands for no function. Siblings are of different functions.
 */
export interface CallTreeNodes {
  /** -1 for the root. */
  parents: Int32Array
  /** -1 for the root. */
  functionIndexes: Int32Array
  /** 1-based line of the function with most self value here, or where the first sample was; 0 when not known. */
  lines: Int32Array
  /** How often the function was called from its parent; only where the format counts calls, not samples. */
  calls?: Float64Array
}

export interface LabelSummary {
  name: string
  /** How many different values there are; `values` holds only the heaviest. */
  valueCount: number
  /** Heaviest first. `weight` is in the default sample type. */
  values: { value: string; sampleCount: number; weight: number }[]
}

export interface ThreadSummary {
  name: string
  /** One total per sample type. */
  totals: number[]
}

/**
 * What functions have with all they called, out of a file that tells it better than the tree does that was made of it; when a
 * function calls itself, that counts once.
 */
export interface FunctionTotals {
  /** Per function, 1 where it is known; else it is what the tree says. */
  isKnown: Uint8Array
  /** Per sample type, the total of each function; 0 where it is not known. */
  values: Float64Array[]
}

/**
 * A profile of any format: columns, not objects. Values are doubles, so int64 values above 2^53 are rounded.
 */
export interface Profile {
  format: ProfileFormat
  sampleTypes: SampleType[]
  defaultSampleTypeIndex: number
  durationMs?: number
  /** ISO 8601, UTC. */
  startedAt?: string
  /** Samples in the file; calls, where the format is a trace of calls. */
  sampleCount: number
  functions: FunctionTable
  nodes: CallTreeNodes
  /** Per sample type, the value of each node without its children. */
  selfValues: Float64Array[]
  /** Of call graphs, for these values of this tree: whatever makes others of them leaves it out. */
  functionTotals?: FunctionTotals
  labels: LabelSummary[]
  threads: ThreadSummary[]
  /** What was skipped or repaired while reading, in sentences. */
  warnings: string[]
}

/** A profile as it comes out of a file. */
export interface ImportedProfile extends Profile {
  detail?: ProfileDetail
  /** Of heap snapshots. */
  heapGraph?: HeapGraph
}

/** The profile as it is in a project with such rules. */
export function withOriginRules<P extends Profile>(
  profile: P,
  originRules: readonly OriginRule[] | undefined,
): P {
  return originRules === undefined || originRules.length === 0
    ? profile
    : { ...profile, functions: { ...profile.functions, originRules } }
}

/** The self values of a sample type; throws RangeError when there is no such sample type. */
export function selfValuesOf(
  profile: Profile,
  sampleTypeIndex = profile.defaultSampleTypeIndex,
): Float64Array {
  const selfValues = profile.selfValues[sampleTypeIndex]
  if (selfValues === undefined) throw new RangeError(`No sample type ${sampleTypeIndex} in this profile`)
  return selfValues
}

/** The sample type of an index; throws RangeError when there is none. */
export function sampleTypeOf(profile: Profile, sampleTypeIndex = profile.defaultSampleTypeIndex): SampleType {
  const sampleType = profile.sampleTypes[sampleTypeIndex]
  if (sampleType === undefined) throw new RangeError(`No sample type ${sampleTypeIndex} in this profile`)
  return sampleType
}

/** Per node, its self value plus that of everything it called. */
export function totalValues(parents: Int32Array, selfValues: Float64Array): Float64Array {
  const totals = selfValues.slice()
  for (let node = totals.length - 1; node > 0; node--) totals[parents[node]!]! += totals[node]!
  return totals
}

/** Per node, the index after the last node of its subtree. */
export function subtreeEnds(parents: Int32Array): Int32Array {
  const ends = new Int32Array(parents.length)
  for (let node = parents.length - 1; node >= 0; node--) {
    if (ends[node] === 0) ends[node] = node + 1
    const parent = parents[node]!
    if (parent >= 0 && ends[parent]! < ends[node]!) ends[parent] = ends[node]!
  }
  return ends
}
