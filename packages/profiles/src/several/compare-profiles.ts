import { CallTreeBuilder } from '../call-tree-builder.ts'
import { limits } from '../limits.ts'
import {
  selfValuesOf,
  totalValues,
  type CallTreeNodes,
  type FunctionTable,
  type Profile,
} from '../profile.ts'
import { largestAt } from '../questions/by-size.ts'
import { bestTotals, exactTotals, type ExactTotals } from '../questions/exact-totals.ts'
import { unitFactor } from '../questions/format-value.ts'
import { originOf } from '../questions/function-origin.ts'
import { valuesOfGroups } from '../questions/group-values.ts'
import { CannotCompareError } from './cannot-compare-error.ts'
import { exactOfBoth } from './exact-of-both.ts'
import { normalizingFactors, type Normalization } from './normalization.ts'
import { sameFunctions, type SameFunctions } from './same-functions.ts'
import { sum } from './sum.ts'

/** `added` has nothing in base, `removed` nothing in head; `worse` costs more in head. */
export type ChangeState = 'added' | 'removed' | 'worse' | 'better' | 'same'

/** What something takes on both sides, in the unit of the comparison. */
export interface Difference {
  baseSelf: number
  headSelf: number
  /** head − base. Of all functions, or of all calls, these add up to the difference of the totals. */
  selfDifference: number
  baseTotal: number
  headTotal: number
  totalDifference: number
  state: ChangeState
  /** Whether it is more than two samplings of the same program differ by; absent where no samples are counted. */
  isSure?: boolean
}

export interface FunctionDifference extends Difference {
  functionName: string
  /** In head, or in base where head does not have it. */
  file: string
  /** Where it starts; 0 when not known. */
  line: number
  origin: string
}

/** A place in the call tree. */
export interface CallDifference extends Difference {
  /** Functions up to the one that this is of; `…` for all that are further out than the last twelve. */
  path: string[]
}

export interface CompareProfilesOptions {
  /** Head's default when absent. */
  sampleType?: string | undefined
  /** Nothing is done to the values when absent. */
  normalization?: Normalization
  /** By which difference the largest come first, and by which something is better or worse; `self` when absent. */
  sortBy?: 'self' | 'total'
  /** How many functions, and how many calls. */
  limit: number
}

/** Both profiles as one tree, each with a column of values; nodes as in `Profile.nodes`. */
export interface DifferentialTree {
  functions: FunctionTable
  nodes: CallTreeNodes
  base: SideValues
  head: SideValues
}

interface SideValues {
  self: Float64Array
  totals: Float64Array
}

export interface ProfileComparison {
  sampleType: string
  /** Of all values: head's, or that of what both sides were scaled to. */
  unit: string
  /** What values of each side were multiplied by. */
  factors: { base: number; head: number }
  baseTotal: number
  headTotal: number
  /** The largest differences first. */
  functions: FunctionDifference[]
  /** What the self values of all functions that are not listed differ by together. */
  othersDifference: number
  /** How many functions there are of each state. */
  counts: Record<ChangeState, number>
  /** Places in the call tree, by the difference of their self values, the largest first. */
  calls: CallDifference[]
  otherCallsDifference: number
  tree: DifferentialTree
}

/** Calls that a path tells: what is further out is mostly the same everywhere. */
const pathLength = 12
/** Differences below this share of what is compared come from rounding. */
const roundingShare = 1e-9
/** How many standard errors a difference must have to be more than chance, among hundreds that are looked at. */
const sureErrors = 3

/**
 * What changed between two profiles. Where values become shares, by `total` or by `values`, waiting takes none: V8's
 * `(idle)` is no work of the program. Shares are right as far as the profiled run is like the measured one.
 *
 * @throws CannotCompareError when they have no sample type in common, or nothing to normalize by
 */
export function compareProfiles(
  base: Profile,
  head: Profile,
  options: CompareProfilesOptions,
): ProfileComparison {
  const { normalization = { by: 'none' }, sortBy = 'self', limit } = options
  const { sampleType, unit, columns, exact } = valuesOfBoth(base, head, options.sampleType, normalization)
  if (normalization.by === 'total' || normalization.by === 'values')
    for (const [side, profile] of [base, head].entries()) columns[side] = withoutIdle(profile, columns[side]!)
  const totals = columns.map(sum)
  const factors = normalizingFactors(
    normalization,
    { total: totals[0]!, durationMs: base.durationMs },
    { total: totals[1]!, durationMs: head.durationMs },
  )
  const same = sameFunctions([base, head])
  const tree = unionTree([base, head], same, columns, [factors.base, factors.head])
  const exactTotalsOfBoth = exactOfBoth(
    [factors.base, factors.head].map((factor, side) => ({
      exact: exact[side]!.totals,
      functionOf: same.functionsOf[side]!,
      factor: exact[side]!.factor * factor,
    })),
    tree.functions.names.length,
  )
  const baseTotal = totals[0]! * factors.base
  const headTotal = totals[1]! * factors.head
  const perSample = [
    baseTotal / sampleCountOf(base, sampleType, columns[0]!),
    headTotal / sampleCountOf(head, sampleType, columns[1]!),
  ]
  const judge = judgeBy(sortBy, perSample, roundingShare * Math.max(Math.abs(baseTotal), Math.abs(headTotal)))
  return {
    sampleType,
    unit: normalization.by === 'values' ? normalization.unit : unit,
    factors,
    baseTotal,
    headTotal,
    ...functionDifferences(tree, exactTotalsOfBoth, { sortBy, limit, judge }),
    ...callDifferences(tree, limit, judge),
    tree,
  }
}

/** The values of both sides in head's unit; in any, where they are scaled to what was measured beside them. */
function valuesOfBoth(
  base: Profile,
  head: Profile,
  sampleType: string | undefined,
  normalization: Normalization,
): {
  sampleType: string
  unit: string
  columns: Float64Array[]
  /** Per side, in its own unit, and what makes that head's. */
  exact: { totals: ExactTotals | undefined; factor: number }[]
} {
  const wanted = sampleType ?? head.sampleTypes[head.defaultSampleTypeIndex]?.type
  const indexOf = ({ sampleTypes }: Profile) => sampleTypes.findIndex(({ type }) => type === wanted)
  const isMeasured = normalization.by === 'values'
  const headIndex = indexOf(head)
  const baseIndex = indexOf(base) < 0 && isMeasured ? base.defaultSampleTypeIndex : indexOf(base)
  const [baseType, headType] = [base.sampleTypes[baseIndex], head.sampleTypes[headIndex]]
  if (baseType === undefined || headType === undefined) {
    const names = [base, head].map(({ sampleTypes }) => sampleTypes.map(({ type }) => type).join(', '))
    throw new CannotCompareError(
      `not both profiles have the sample type ${wanted}: base has ${names[0]}, and head ${names[1]}`,
    )
  }
  const factor = isMeasured ? 1 : unitFactor(baseType.unit, headType.unit)
  if (factor === undefined) {
    throw new CannotCompareError(`base has ${wanted} in ${baseType.unit}, and head in ${headType.unit}`)
  }
  const before = selfValuesOf(base, baseIndex)
  return {
    sampleType: headType.type,
    unit: headType.unit,
    columns: [factor === 1 ? before : before.map((value) => value * factor), selfValuesOf(head, headIndex)],
    exact: [
      { totals: exactTotals(base, baseIndex), factor },
      { totals: exactTotals(head, headIndex), factor: 1 },
    ],
  }
}

/** Only trees have it that were seen, for which there are no other totals. */
function withoutIdle({ functions, nodes }: Profile, self: Float64Array): Float64Array {
  return self.map((value, node) => (functions.names[nodes.functionIndexes[node]!] === '(idle)' ? 0 : value))
}

function unionTree(
  profiles: readonly [Profile, Profile],
  { functions, functionsOf }: SameFunctions,
  columns: readonly Float64Array[],
  factors: readonly number[],
): DifferentialTree {
  // Two trees that are as large as may be are fewer than this together.
  const builder = new CallTreeBuilder({ sampleTypeCount: 2, maxNodes: 2 * limits.nodes })
  for (const [side, { nodes }] of profiles.entries()) {
    const [self, factor, functionOf] = [columns[side]!, factors[side]!, functionsOf[side]!]
    const places = new Int32Array(nodes.parents.length)
    for (let node = 0; node < places.length; node++) {
      if (node > 0) {
        const functionIndex = functionOf[nodes.functionIndexes[node]!]!
        places[node] = builder.child(places[nodes.parents[node]!]!, functionIndex, nodes.lines[node])
      }
      if (self[node] !== 0) builder.add(places[node]!, side, self[node]! * factor)
    }
  }
  const { nodes, selfValues } = builder.finish()
  const sideOf = (self: Float64Array) => ({ self, totals: totalValues(nodes.parents, self) })
  const [base, head] = [sideOf(selfValues[0]!), sideOf(selfValues[1]!)]
  return { functions, nodes, base, head }
}

type Judge = (baseSelf: number, headSelf: number, baseTotal: number, headTotal: number) => Difference

function judgeBy(sortBy: 'self' | 'total', perSample: readonly number[], rounding: number): Judge {
  return (baseSelf, headSelf, baseTotal, headTotal) => {
    const [before, after] = sortBy === 'self' ? [baseSelf, headSelf] : [baseTotal, headTotal]
    const difference: Difference = {
      baseSelf,
      headSelf,
      selfDifference: headSelf - baseSelf,
      baseTotal,
      headTotal,
      totalDifference: headTotal - baseTotal,
      state: 'same',
    }
    if (baseTotal === 0 && headTotal !== 0) difference.state = 'added'
    else if (headTotal === 0 && baseTotal !== 0) difference.state = 'removed'
    else if (Math.abs(after - before) > rounding) difference.state = after > before ? 'worse' : 'better'
    // A count of n samples is off by √n, so a value of n samples of w each is off by w√n = √(value × w).
    const variance = Math.abs(before * perSample[0]!) + Math.abs(after * perSample[1]!)
    if (Number.isFinite(variance))
      difference.isSure = Math.abs(after - before) > Math.max(sureErrors * Math.sqrt(variance), rounding)
    return difference
  }
}

function functionDifferences(
  { nodes, functions, base, head }: DifferentialTree,
  exact: readonly ExactTotals[],
  { sortBy, limit, judge }: { sortBy: 'self' | 'total'; limit: number; judge: Judge },
): Pick<ProfileComparison, 'functions' | 'othersDifference' | 'counts'> {
  const count = functions.names.length
  const groupOf = Int32Array.from({ length: count }, (_, index) => index)
  const { parents, functionIndexes } = nodes
  const valuesOf = (side: SideValues, exactOfSide: ExactTotals | undefined) => {
    const { self, totals } = valuesOfGroups({ parents, functionIndexes, ...side }, groupOf, count)
    return { self, totals: bestTotals(totals, exactOfSide) }
  }
  const [before, after] = [valuesOf(base, exact[0]), valuesOf(head, exact[1])]
  const differenceOf = (index: number) =>
    judge(before.self[index]!, after.self[index]!, before.totals[index]!, after.totals[index]!)
  const counts: Record<ChangeState, number> = { added: 0, removed: 0, worse: 0, better: 0, same: 0 }
  const present: number[] = []
  for (let index = 0; index < count; index++) {
    const { state, baseTotal, headTotal } = differenceOf(index)
    if (baseTotal === 0 && headTotal === 0) continue
    counts[state]++
    present.push(index)
  }
  const sizeOf = (index: number, by: 'self' | 'totals') => Math.abs(after[by][index]! - before[by][index]!)
  const [first, second] = sortBy === 'self' ? (['self', 'totals'] as const) : (['totals', 'self'] as const)
  const order = present.toSorted(
    (a, b) =>
      sizeOf(b, first) - sizeOf(a, first) ||
      sizeOf(b, second) - sizeOf(a, second) ||
      compareNames(functions.names[a]!, functions.names[b]!),
  )
  return {
    counts,
    functions: order.slice(0, limit).map((index) => {
      const [functionName, file] = [functions.names[index]!, functions.files[index]!]
      const line = functions.startLines[index]!
      return {
        functionName,
        file,
        line,
        origin: originOf(functions, index),
        ...differenceOf(index),
      }
    }),
    othersDifference: order
      .slice(limit)
      .reduce((all, index) => all + after.self[index]! - before.self[index]!, head.self[0]! - base.self[0]!),
  }
}

function compareNames(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function callDifferences(
  { nodes, functions, base, head }: DifferentialTree,
  limit: number,
  judge: Judge,
): Pick<ProfileComparison, 'calls' | 'otherCallsDifference'> {
  const sizes = base.self.map((value, node) => (node === 0 ? 0 : Math.abs(head.self[node]! - value)))
  const order = largestOf(sizes, limit)
  const listed = order.reduce((all, node) => all + head.self[node]! - base.self[node]!, 0)
  return {
    calls: order.map((node) => ({
      path: pathTo(node, nodes, functions),
      ...judge(base.self[node]!, head.self[node]!, base.totals[node]!, head.totals[node]!),
    })),
    otherCallsDifference: head.totals[0]! - base.totals[0]! - listed,
  }
}

/** The indexes of the largest values, the largest first; none that is 0. */
function largestOf(values: Float64Array, limit: number): number[] {
  const smallest = limit < values.length ? largestAt(limit, values) : 0
  const found: number[] = []
  for (let index = 0; index < values.length; index++)
    if (values[index]! > 0 && values[index]! >= smallest) found.push(index)
  return found.toSorted((a, b) => values[b]! - values[a]! || a - b).slice(0, limit)
}

function pathTo(node: number, nodes: CallTreeNodes, functions: FunctionTable): string[] {
  const path: string[] = []
  let place = node
  for (; place > 0 && path.length < pathLength; place = nodes.parents[place]!)
    path.push(functions.names[nodes.functionIndexes[place]!]!)
  if (place > 0) path.push('…')
  return path.toReversed()
}

/**
 * How many samples the values of a type come from: `wall_samples` for `wall`, or else `samples`, which are those of the
 * processor; NaN when not known, as for memory. Samples of what has no such value are not among them: V8 counts those of
 * `(idle)`, which has no `cpu`, and with them each of the others would weigh less than it does.
 *
 * @param self the values of the type, by node
 */
function sampleCountOf(profile: Profile, sampleType: string, self: Float64Array): number {
  const indexOf = (name: string) => profile.sampleTypes.findIndex(({ type }) => type === name)
  const own = indexOf(`${sampleType}_samples`)
  const index = own < 0 && !sampleType.includes('_') ? indexOf('samples') : own
  if (index < 0) return Number.NaN
  return sum(selfValuesOf(profile, index).map((count, node) => (self[node] === 0 ? 0 : count))) || Number.NaN
}
