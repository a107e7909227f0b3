import type { Profile } from '../profile.ts'
import { compareProfiles, type CompareProfilesOptions, type ProfileComparison } from './compare-profiles.ts'
import {
  differentialFlameGraph,
  toDifferentialD3,
  type DifferentialFlameGraph,
} from './differential-flame-graph.ts'
import { mergeProfiles } from './merge-profiles.ts'

export interface CompareSetsOptions extends CompareProfilesOptions {
  /** Draw both sides as one flame graph of so many nodes. */
  graphNodes?: number
  /** The same as JSON for d3-flame-graph: with fewer nodes where names are long, as half a tree is none. */
  d3?: { nodes: number; characters: number }
}

/** A set of profiles, added up. */
export interface ComparedSet {
  /** Absent when not known of all. */
  durationMs?: number | undefined
  sampleCount: number
  warnings: string[]
}

/** A comparison without the tree that it was made of, which may have millions of nodes. */
export interface SetComparison extends Omit<ProfileComparison, 'tree'> {
  base: ComparedSet
  head: ComparedSet
  graph?: DifferentialFlameGraph
  d3Json?: string
}

/**
 * What changed between two sets of profiles, each added up to one.
 *
 * @throws CannotMergeError, CannotCompareError, FormatError as `mergeProfiles` and `compareProfiles`
 */
export function compareSets(
  baseSet: readonly Profile[],
  headSet: readonly Profile[],
  { graphNodes, d3, ...options }: CompareSetsOptions,
): SetComparison {
  const [base, head] = [mergeProfiles(baseSet), mergeProfiles(headSet)]
  const { tree, ...comparison } = compareProfiles(base, head, options)
  return {
    ...comparison,
    base: setOf(base),
    head: setOf(head),
    ...(graphNodes === undefined ? {} : { graph: differentialFlameGraph(tree, graphNodes) }),
    ...(d3 === undefined ? {} : { d3Json: d3Json(tree, d3) }),
  }
}

function setOf({ durationMs, sampleCount, warnings }: Profile): ComparedSet {
  return { durationMs, sampleCount, warnings }
}

function d3Json(
  tree: ProfileComparison['tree'],
  { nodes, characters }: NonNullable<CompareSetsOptions['d3']>,
): string {
  for (let count = nodes; ; count = Math.floor(count / 2)) {
    const json = JSON.stringify(toDifferentialD3(differentialFlameGraph(tree, count)))
    if (json.length <= characters || count <= 1) return json
  }
}
