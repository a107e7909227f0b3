import { CallTreeBuilder } from '../call-tree-builder.ts'
import { letGo } from '../columns.ts'
import { FormatError } from '../format-error.ts'
import { GrowingRows } from '../growing-rows.ts'
import { limits } from '../limits.ts'
import type { ProfileDetail } from '../profile-detail.ts'
import type { ImportedProfile } from '../profile.ts'
import { sortedRows } from '../sorted-rows.ts'
import { PprofFrames } from './pprof-frames.ts'
import type { PprofSamples } from './pprof-samples.ts'
import type { PprofStacks } from './pprof-stacks.ts'
import type { PprofTables } from './pprof-tables.ts'

/** How much of a stack is shown, going from its outermost frame to a node. */
const onlyHidden = 0
const someShown = 1
const restHidden = 2

/**
 * From a tree of locations to one of functions. Only nodes are visited, of which there are far fewer than
 * frames in the file. Parents come first, so a node continues where its parent ended:
 *
 *     locations  A ─ B         lines of B, innermost first: [copy, read]
 *     functions  main ─ read ─ copy
 *
 * `places` tells which node each of the tree of locations became.
 */
export function functionTree(
  samples: PprofSamples,
  tables: PprofTables,
  { maxNodes, warnings }: { maxNodes: number; warnings: string[] },
): Pick<ImportedProfile, 'functions' | 'nodes' | 'selfValues' | 'detail'> & { places: Int32Array } {
  const locations = samples.stacks
  const frames = new PprofFrames(tables, warnings)
  const { sampleTypeCount, defaultSampleTypeIndex } = tables
  const builder = new CallTreeBuilder({
    sampleTypeCount,
    maxNodes,
    format: 'pprof',
    expectedNodes: locations.count,
  })
  // There are few of the same node and line, so they are not looked up, but added up in the end.
  const lines = new GrowingRows({
    width: 2 * sampleTypeCount,
    maxCount: Math.floor(limits.values / (2 * sampleTypeCount)),
    expected: locations.count,
  })
  let unplacedCount = 0
  const totals = totalsOf(locations)
  const places = new Int32Array(locations.count)
  const states = new Uint8Array(locations.count)
  let hottestSelf = new Float64Array(locations.count)
  // What a node has itself, then with all below it; the same for its outer frames, which have nothing themselves.
  const values = new Float64Array(2 * sampleTypeCount)
  const outerValues = new Float64Array(2 * sampleTypeCount)
  let steps = 0
  for (let node = 0; node < locations.count; node++) {
    let place = 0
    let line = 0
    const row = node * sampleTypeCount
    for (let type = 0; type < sampleTypeCount; type++) {
      values[type] = locations.values[row + type]!
      outerValues[sampleTypeCount + type] = values[sampleTypeCount + type] = totals[row + type]!
    }
    if (node > 0) {
      const parent = locations.parents[node]!
      const location = samples.locationOf(locations.codes[node]!, tables.locationIds)
      const { state, count } = whatToShow(
        states[parent]!,
        frames.count(location),
        frames.shownCount(location),
      )
      states[node] = state
      place = places[parent]!
      steps += count
      if (steps > limits.inlineSteps) throw new FormatError('too many inlined frames', { format: 'pprof' })
      for (let index = 0; index < count; index++) {
        line = frames.line(location, index)
        place = builder.child(place, frames.functionIndex(location, index), line)
        if (line === 0) continue
        if (!lines.add(place, line, index === count - 1 ? values : outerValues)) unplacedCount++
      }
    }
    places[node] = place

    for (let type = 0; type < sampleTypeCount; type++) {
      const value = values[type]!
      if (value !== 0) builder.add(place, type, value)
    }
    if (place >= hottestSelf.length) {
      const longer = new Float64Array(2 * place)
      longer.set(hottestSelf)
      hottestSelf = longer
    }
    const self = Math.abs(values[defaultSampleTypeIndex]!)
    if (line !== 0 && self > hottestSelf[place]!) {
      hottestSelf[place] = self
      builder.setLine(place, line)
    }
  }
  const { unknownLocations } = frames
  if (unknownLocations > 0) {
    warnings.push(`${unknownLocations} of ${tables.locationIds.count} locations have no function names.`)
  }
  if (unplacedCount > 0) warnings.push(`Too many lines: ${unplacedCount} were not counted.`)
  letGo(totals, states, hottestSelf)
  const { positions, nodes, selfValues } = builder.finish()
  for (let node = 0; node < places.length; node++) places[node] = positions[places[node]!]!
  const detail = detailOf(lines, positions)
  lines.letGo()
  return { functions: frames.functions.finish(), nodes, selfValues, detail, places }
}

/** Undefined without lines. `positions`: of nodes in the finished tree. */
function detailOf({ rows }: GrowingRows, positions: Int32Array): ProfileDetail | undefined {
  const { firsts, width } = rows
  if (firsts.length === 0) return undefined
  for (let row = 0; row < firsts.length; row++) firsts[row] = positions[firsts[row]!]!
  const { firsts: nodes, seconds, columns } = sortedRows(rows)
  const selfValues = columns.slice(0, width / 2)
  return {
    labelSets: [[]],
    lines: { nodes, lines: seconds, selfValues, totalValues: columns.slice(width / 2) },
  }
}

/** Per node of a tree and sample type, its value with what is below it. Parents have lower numbers. */
function totalsOf({ count, parents, values, valueWidth }: PprofStacks): Float64Array {
  const totals = values.slice(0, count * valueWidth)
  for (let node = count - 1; node > 0; node--) {
    const parent = parents[node]! * valueWidth
    for (let type = 0; type < valueWidth; type++) totals[parent + type]! += totals[node * valueWidth + type]!
  }
  return totals
}

/**
 * Of a location with `all` frames of which the outer `shown` are not to be hidden: how many become nodes.
 * Frames outside the first shown one stay, so that no stack is hidden whole.
 */
function whatToShow(parentState: number, all: number, shown: number): { state: number; count: number } {
  if (parentState === restHidden) return { state: restHidden, count: 0 }
  if (shown === all) return { state: someShown, count: all }
  if (parentState === someShown) return { state: restHidden, count: shown }
  return { state: onlyHidden, count: shown === 0 ? all : shown }
}
