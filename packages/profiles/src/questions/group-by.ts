import { eachSample, type SampleFilter } from './filter-profile.ts'
import type { ProfileDetail } from '../profile-detail.ts'
import type { FunctionTable, Profile } from '../profile.ts'
import { Pattern } from '../pattern.ts'
import type { CallTree } from './call-tree.ts'
import { percentOf } from './format-value.ts'
import { functionCategory } from './function-category.ts'
import { originOf } from './function-origin.ts'
import { functionPackage } from './function-package.ts'
import { coveredValue, valuesOfGroups } from './group-values.ts'
import { keptWith } from './kept-columns.ts'
import { labelValue, threadName } from './label-values.ts'
import { filteredCallTree, matchingStacks, type StackFilter } from './stack-filter.ts'

/** How functions are put together. */
export const functionGroupings = ['package', 'file', 'origin', 'category'] as const
export type FunctionGrouping = (typeof functionGroupings)[number]

/** A group of functions, or of samples; percentages are of the whole profile. */
export interface GroupRow {
  name: string
  /** Of its own functions. Of a category also what is done for them: the innermost function with a category counts. */
  selfValue: number
  selfPercent: number
  /** With all that was called from there; a stack that meets the group twice counts once. */
  totalValue: number
  totalPercent: number
  /** Functions with a value; 0 for groups of samples. */
  functionCount: number
  /** The functions that make up most of its self value: of a category, the evidence. */
  topFunctions: string[]
}

export interface Groups {
  /** The largest ones. */
  rows: GroupRow[]
  rowCount: number
  /** What stacks through any group that was searched for have; the whole without a search. */
  coveredValue: number
  coveredPercent: number
}

export interface GroupOptions extends StackFilter {
  order: 'self' | 'total'
  limit: number
  /** Only groups whose name has this pattern. */
  search?: string
}

/** No sample has a label to group by. The message says which. */
export class NoSuchLabelError extends Error {
  override readonly name = 'NoSuchLabelError'
}

const topFunctionCount = 5
const otherCategory = 'Other'

/**
 * The values of packages, files, origins, or kinds of work. Throws PatternError for a pattern that cannot be read,
 * RangeError for an unknown sample type.
 */
export function groupByFunctions(profile: Profile, by: FunctionGrouping, options: GroupOptions): Groups {
  const { tree, wholeTotal } = filteredCallTree(profile, options)
  const { names, groupOf } = groupsOf[by](profile.functions)
  const values = valuesOfGroups(tree, groupOf, names.length)
  const owner = by === 'category' ? nearestWithCategory(tree, groupOf) : tree.functionIndexes
  const selfOfFunctions = new Float64Array(groupOf.length)
  let ownerless = 0
  for (let node = 1; node < owner.length; node++) {
    const functionIndex = owner[node]!
    if (functionIndex < 0) ownerless += tree.self[node]!
    else selfOfFunctions[functionIndex]! += tree.self[node]!
  }
  const groups = names.map((name): Group => ({ name, self: 0, total: 0, functions: [] }))
  for (const [functionIndex, group] of groupOf.entries()) {
    if (group < 0) continue
    groups[group]!.self += selfOfFunctions[functionIndex]!
    groups[group]!.functions.push(functionIndex)
  }
  for (const [group, total] of values.totals.entries()) groups[group]!.total = total
  if (by === 'category')
    groups.push({ name: otherCategory, self: ownerless, total: ownerless, functions: [] })

  const found = searched(groups, options.search)
  const isFound = new Set(found)
  const isCovered = Uint8Array.from(groupOf, (group) => (group >= 0 && isFound.has(groups[group]!) ? 1 : 0))
  return {
    ...largest(found, wholeTotal, options, (group) => ({
      functionCount: group.functions.filter((index) => selfOfFunctions[index] !== 0).length,
      topFunctions: group.functions
        .filter((index) => selfOfFunctions[index] !== 0)
        .toSorted((a, b) => Math.abs(selfOfFunctions[b]!) - Math.abs(selfOfFunctions[a]!) || a - b)
        .slice(0, topFunctionCount)
        .map((index) => profile.functions.names[index]!),
    })),
    ...covering(options.search === undefined ? tree.totals[0]! : coveredValue(tree, isCovered), wholeTotal),
  }
}

/**
 * The values of samples by the value of a label. A thread is told with its process. `filter` says which samples, as it
 * did for the profile; samples without the label are `(none)`.
 *
 * Throws NoSuchLabelError where no sample has the label.
 */
export function groupByLabel(
  profile: Profile,
  detail: ProfileDetail | undefined,
  label: string,
  options: GroupOptions & { filter?: SampleFilter },
): Groups {
  const labelSets = detail?.labelSets ?? []
  const names = labelSets.map((labels) =>
    label === 'thread' ? threadName(labels) : labelValue(labels, label),
  )
  if (names.every((name) => name === undefined))
    throw new NoSuchLabelError(`no sample has the label ${label}`)
  const isKept = matchingStacks(profile, options)
  const byName = new Map<string, Group>()
  const groupOfSet = names.map((name = '(none)') => {
    const group = byName.get(name) ?? { name, self: 0, total: 0, functions: [] }
    byName.set(name, group)
    return group
  })
  let wholeTotal = 0
  eachSample(profile, detail, options.filter ?? {}, options.sampleTypeIndex, (node, labelSet, value) => {
    wholeTotal += value
    if (isKept === undefined || isKept[node] === 1) groupOfSet[labelSet]!.self += value
  })
  const groups = [...byName.values()].filter(({ self }) => self !== 0)
  for (const group of groups) group.total = group.self
  const found = searched(groups, options.search)
  return {
    ...largest(found, wholeTotal, options, () => ({ functionCount: 0, topFunctions: [] })),
    ...covering(
      found.reduce((sum, { self }) => sum + self, 0),
      wholeTotal,
    ),
  }
}

interface Group {
  name: string
  self: number
  total: number
  /** Indexes. */
  functions: number[]
}

/** The groups there are, and of each function which it is in; -1 for none. */
interface FunctionGroups {
  names: string[]
  groupOf: Int32Array
}

const groupsOf: Readonly<Record<FunctionGrouping, (functions: FunctionTable) => FunctionGroups>> = {
  package: groupedBy(({ names, files, originRules }, index) =>
    functionPackage(names[index]!, files[index]!, originRules),
  ),
  file: groupedBy(({ files }, index) => files[index] || 'Unknown'),
  origin: groupedBy(originOf),
  category: groupedBy(({ names, files }, index) => functionCategory(names[index]!, files[index]!)),
}

/** Kept for other questions, as most groups are told by trying many patterns. */
function groupedBy(groupName: (functions: FunctionTable, index: number) => string | undefined) {
  return keptWith((functions: FunctionTable): FunctionGroups => {
    const indexes = new Map<string, number>()
    const groupOf = Int32Array.from(functions.names, (_, index) => {
      const group = groupName(functions, index)
      if (group === undefined) return -1
      const known = indexes.get(group) ?? indexes.size
      indexes.set(group, known)
      return known
    })
    return { names: [...indexes.keys()], groupOf }
  })
}

/** Per node, the innermost function of its stack that has a category; -1 for none. */
function nearestWithCategory({ parents, functionIndexes }: CallTree, categoryOf: Int32Array): Int32Array {
  const nearest = new Int32Array(parents.length).fill(-1)
  for (let node = 1; node < parents.length; node++) {
    const functionIndex = functionIndexes[node]!
    nearest[node] = categoryOf[functionIndex]! >= 0 ? functionIndex : nearest[parents[node]!]!
  }
  return nearest
}

function searched(groups: Group[], search: string | undefined): Group[] {
  if (search === undefined) return groups
  const pattern = new Pattern(search)
  return groups.filter(({ name }) => pattern.test(name))
}

function largest(
  groups: Group[],
  wholeTotal: number,
  { order, limit }: GroupOptions,
  functionsOf: (group: Group) => Pick<GroupRow, 'functionCount' | 'topFunctions'>,
): Pick<Groups, 'rows' | 'rowCount'> {
  const other = order === 'self' ? 'total' : 'self'
  const withValue = groups.filter(({ self, total }) => self !== 0 || total !== 0)
  const rows = withValue
    .toSorted(
      (a, b) =>
        Math.abs(b[order]) - Math.abs(a[order]) ||
        Math.abs(b[other]) - Math.abs(a[other]) ||
        (a.name < b.name ? -1 : 1),
    )
    .slice(0, limit)
    .map((group) => ({
      name: group.name,
      selfValue: group.self,
      selfPercent: percentOf(group.self, wholeTotal),
      totalValue: group.total,
      totalPercent: percentOf(group.total, wholeTotal),
      ...functionsOf(group),
    }))
  return { rows, rowCount: withValue.length }
}

function covering(value: number, wholeTotal: number): Pick<Groups, 'coveredValue' | 'coveredPercent'> {
  return { coveredValue: value, coveredPercent: percentOf(value, wholeTotal) }
}
