import { selfValuesOf, type Profile } from '../profile.ts'
import { functionOrigin } from './function-origin.ts'

/** One side: what was measured of the benchmark, and where a profile of it saw the time go. */
export interface MeasuredProfile {
  profile: Profile
  /** Per iteration, in the unit of the benchmark. */
  value: number
  /** The default sample type when absent. */
  sampleTypeIndex?: number
}

/** What a function takes of the measured value on both sides, in its unit. */
export interface FunctionDifference {
  functionName: string
  /** In head, or in base where head does not have it. */
  file: string
  origin: string
  baseSelf: number
  headSelf: number
  /** `headSelf − baseSelf`: its part of the change. */
  difference: number
  state: 'new' | 'gone' | 'slower' | 'faster' | 'same'
}

export interface DifferenceExplanation {
  /** head − base. */
  change: number
  /** The largest differences first. */
  functions: FunctionDifference[]
  /** What all that are left out add together. */
  othersDifference: number
}

/**
 * Which functions a change of a measured value comes from. Each side's value is divided among its functions by their
 * share of the profile's self values, so the differences of all functions add up to the change exactly. A profile sees
 * shares, not times: this is right as far as the profiled run is like the measured one. Waiting is no work of the
 * benchmark, so `(idle)` takes no share. Functions are the same when their name and file name are; folders may differ,
 * because branches are checked out in different places.
 */
export function explainDifference(
  base: MeasuredProfile,
  head: MeasuredProfile,
  limit: number,
): DifferenceExplanation {
  const [before, after] = [divideAmongFunctions(base), divideAmongFunctions(head)]
  const all = [...new Set([...after.keys(), ...before.keys()])]
    .map((key) => differenceOf(before.get(key), after.get(key)))
    .toSorted(largestFirst)
  const shown = all.slice(0, limit)
  return {
    change: head.value - base.value,
    functions: shown,
    othersDifference: all.slice(limit).reduce((sum, { difference }) => sum + difference, 0),
  }
}

interface Share {
  functionName: string
  file: string
  self: number
}

function divideAmongFunctions({ profile, value, sampleTypeIndex }: MeasuredProfile): Map<string, Share> {
  const self = selfValuesOf(profile, sampleTypeIndex)
  const { names, files } = profile.functions
  const shares = new Map<string, Share>()
  let total = 0
  for (const [node, functionIndex] of profile.nodes.functionIndexes.entries()) {
    const functionName = names[functionIndex]
    const selfValue = self[node] ?? 0
    if (functionName === undefined || functionName === '(idle)' || selfValue === 0) continue
    const file = files[functionIndex] ?? ''
    const key = `${functionName}\0${fileName(file)}`
    const share = shares.get(key) ?? { functionName, file, self: 0 }
    share.self += selfValue
    total += selfValue
    shares.set(key, share)
  }
  for (const share of shares.values()) share.self *= value / total
  return shares
}

function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

function differenceOf(before: Share | undefined, after: Share | undefined): FunctionDifference {
  const { functionName = '', file = '' } = after ?? before ?? {}
  const [baseSelf, headSelf] = [before?.self ?? 0, after?.self ?? 0]
  return {
    functionName,
    file,
    origin: functionOrigin(functionName, file),
    baseSelf,
    headSelf,
    difference: headSelf - baseSelf,
    state: stateOf(before, after),
  }
}

function stateOf(before: Share | undefined, after: Share | undefined): FunctionDifference['state'] {
  if (!before) return 'new'
  if (!after) return 'gone'
  if (after.self === before.self) return 'same'
  return after.self > before.self ? 'slower' : 'faster'
}

function largestFirst(a: FunctionDifference, b: FunctionDifference): number {
  return Math.abs(b.difference) - Math.abs(a.difference) || (a.functionName < b.functionName ? -1 : 1)
}
