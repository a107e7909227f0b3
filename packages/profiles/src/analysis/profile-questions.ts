import { flameColumns } from '../exports/flame-columns.ts'
import { sampleTypeOf, selfValuesOf } from '../profile.ts'
import { summarizeFlameGraph, type FlameGraphSummaryOptions } from '../questions/flame-graph-summary.ts'
import { flameGraphTree, type FlameGraphTreeOptions } from '../questions/flame-graph-tree.ts'
import {
  groupByFunctions,
  groupByLabel,
  type FunctionGrouping,
  type GroupOptions,
} from '../questions/group-by.ts'
import { compareHeapClasses, heapClasses } from '../questions/heap-classes.ts'
import { retainersOf, type RetainersOptions } from '../questions/heap-retainers.ts'
import { hotPaths } from '../questions/hot-paths.ts'
import { sumOf } from '../questions/kept-columns.ts'
import { listLabels, listThreads } from '../questions/list-labels.ts'
import { sandwich, type SandwichOptions } from '../questions/sandwich.ts'
import { searchFunctions } from '../questions/search-functions.ts'
import { sourceLines, type SourceLinesOf } from '../questions/source-lines.ts'
import type { StackFilter } from '../questions/stack-filter.ts'
import { profileTimeline, type TimelineOptions } from '../questions/timeline.ts'
import type { TopFunctionsOptions } from '../questions/top-functions.ts'
import { wholeCallTree } from '../questions/call-tree.ts'
import { compareSets, type CompareSetsOptions } from '../several/compare-sets.ts'
import { heapGrowth } from '../several/heap-growth.ts'
import { heapSeries } from '../several/heap-series.ts'
import type { OpenedProfile, ProfilePart } from './opened-profile.ts'

interface ProfileQuestion<Params, Answer> {
  /** What it needs of each profile; with a filter, also the detail. */
  parts: readonly ProfilePart[]
  answer: (profiles: readonly OpenedProfile[], params: Params) => Answer
}

/**
 * All that can be asked of stored profiles. Parameters and answers are plain data, as they may go from one thread to another;
 * what a question throws is one of `questionErrors`, or a defect.
 */
export const profileQuestions = {
  summary: ofTree(({ profile, sampleTypeIndex }, options: Any<FlameGraphSummaryOptions>) =>
    summarizeFlameGraph(profile, { ...options, sampleTypeIndex }),
  ),
  flameGraph: ofTree(({ profile, sampleTypeIndex }, options: Any<FlameGraphTreeOptions>) =>
    flameGraphTree(profile, { ...options, sampleTypeIndex }),
  ),
  flameColumns: ofTree(
    (
      { profile, sampleTypeIndex },
      options: { rootFunctionName: string | undefined; inverted: boolean | undefined },
    ) => flameColumns(profile, { ...options, sampleTypeIndex }),
  ),
  sandwich: ofTree(
    (
      { profile, sampleTypeIndex },
      { functionName, ...options }: Any<SandwichOptions> & { functionName: string },
    ) => sandwich(profile, functionName, { ...options, sampleTypeIndex }),
  ),
  functions: ofTree(
    (opened, { search, ...options }: Any<TopFunctionsOptions> & { search?: string | undefined }) => {
      const { profile, sampleTypeIndex } = opened
      return { ...basis(opened), ...searchFunctions(profile, search, { ...options, sampleTypeIndex }) }
    },
  ),
  hotPaths: ofTree((opened, options: Any<StackFilter> & { limit: number }) => {
    const { profile, sampleTypeIndex } = opened
    return { ...basis(opened), rows: hotPaths(profile, { ...options, sampleTypeIndex }) }
  }),
  functionGroups: ofTree((opened, { by, ...options }: Any<GroupOptions> & { by: FunctionGrouping }) => {
    const { profile, sampleTypeIndex } = opened
    return { ...basis(opened), ...groupByFunctions(profile, by, { ...options, sampleTypeIndex }) }
  }),
  labelGroups: ofDetail((opened, { label, ...options }: Any<GroupOptions> & { label: string }) => {
    const { profile, detail, filter, sampleTypeIndex } = opened
    return {
      ...basis(opened),
      ...groupByLabel(profile, detail, label, { ...options, filter, sampleTypeIndex }),
    }
  }),
  timeline: ofDetail(({ whole, detail, filter }, options: Omit<TimelineOptions, 'filter'>) =>
    profileTimeline(whole, detail, { ...options, filter }),
  ),
  sourceLines: ofDetail((opened, of: SourceLinesOf) => {
    const { whole, profile, detail, filter, sampleTypeIndex } = opened
    return {
      ...sourceLines(whole, detail, of, {
        sampleTypeIndex: opened.sampleTypeIndexInWhole,
        ...(filter === undefined ? {} : { kept: selfValuesOf(profile, sampleTypeIndex) }),
      }),
      knowsLines: detail?.lines !== undefined,
    }
  }),
  labels: ofDetail(({ profile, detail, sampleTypeIndex }, { limit }: { limit: number }) => ({
    ...sampleTypeOf(profile, sampleTypeIndex),
    labels: listLabels(profile, detail, { sampleTypeIndex, limit }),
  })),
  threads: ofDetail(({ profile, detail, sampleTypeIndex }, { limit }: { limit: number }) => ({
    ...sampleTypeOf(profile, sampleTypeIndex),
    ...listThreads(profile, detail, { sampleTypeIndex, limit }),
  })),
  /** The first profiles are the base, and the others the head. */
  comparison: ofTrees((profiles, { baseCount, ...options }: CompareSetsOptions & { baseCount: number }) =>
    compareSets(profiles.slice(0, baseCount), profiles.slice(baseCount), options),
  ),
  heapGrowth: ofTrees(([base, head], options: Parameters<typeof heapGrowth>[2]) =>
    heapGrowth(base!, head!, options),
  ),
  /** When each profile was taken is in `timesMs`. */
  heapSeries: ofTrees(
    (profiles, { timesMs, ...options }: Parameters<typeof heapSeries>[2] & { timesMs: readonly number[] }) =>
      heapSeries(profiles, timesMs, options),
  ),
  /** Of a heap snapshot; or what changed since another one, which comes second. */
  heapClasses: {
    parts: ['heap_graph'],
    answer: ([heap, baseline]: readonly OpenedProfile[], _params: null) =>
      baseline === undefined
        ? heapClasses(heap!.heapGraph)
        : compareHeapClasses(heap!.heapGraph, baseline.heapGraph),
  },
  heapRetainers: {
    parts: ['heap_graph'],
    answer: ([heap]: readonly OpenedProfile[], options: RetainersOptions) =>
      retainersOf(heap!.heapGraph, options),
  },
} as const satisfies Record<string, ProfileQuestion<never, unknown>>

/** What a question needs of each profile. */
export function questionParts(name: QuestionName): readonly ProfilePart[] {
  return profileQuestions[name].parts
}

export type QuestionName = keyof typeof profileQuestions
export type QuestionParams<Name extends QuestionName> = Parameters<
  (typeof profileQuestions)[Name]['answer']
>[1]
export type QuestionAnswer<Name extends QuestionName> = ReturnType<(typeof profileQuestions)[Name]['answer']>

/** Options without the sample type, which is said of the profile. */
type Any<Options> = Omit<Options, 'sampleTypeIndex'>

function ofTree<Params, Answer>(
  answer: (profile: OpenedProfile, params: Params) => Answer,
): ProfileQuestion<Params, Answer> {
  return { parts: ['tree'], answer: ([profile], params) => answer(profile!, params) }
}

function ofDetail<Params, Answer>(
  answer: (profile: OpenedProfile, params: Params) => Answer,
): ProfileQuestion<Params, Answer> {
  return { ...ofTree(answer), parts: ['tree', 'detail'] }
}

function ofTrees<Params, Answer>(
  answer: (profiles: OpenedProfile['whole'][], params: Params) => Answer,
): ProfileQuestion<Params, Answer> {
  return {
    parts: ['tree'],
    answer: (profiles, params) =>
      answer(
        profiles.map(({ whole }) => whole),
        params,
      ),
  }
}

/** What the rows of a table are shares of. */
function basis({ profile, sampleTypeIndex }: OpenedProfile) {
  return {
    totalValue: sumOf(wholeCallTree(profile, sampleTypeIndex).self),
    functionCount: profile.functions.names.length,
  }
}
