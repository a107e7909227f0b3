import { CallTreeBuilder } from '../call-tree-builder.ts'
import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import type { PairTable } from '../pair-table.ts'
import type { ImportedProfile } from '../profile.ts'
import { SampleDetail } from '../sample-detail.ts'
import { PprofFrames } from './pprof-frames.ts'
import type { PprofSamples } from './pprof-samples.ts'
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
  const locations = samples.tree
  const frames = new PprofFrames(tables, warnings)
  const { sampleTypeCount, defaultSampleTypeIndex } = tables
  const builder = new CallTreeBuilder({ sampleTypeCount, maxNodes, format: 'pprof' })
  const detail = new SampleDetail(sampleTypeCount)
  const totals = totalsOf(locations)
  const places = new Int32Array(locations.count)
  const states = new Uint8Array(locations.count)
  let hottestSelf = new Float64Array(locations.count)
  const own = new Float64Array(sampleTypeCount)
  const total = new Float64Array(sampleTypeCount)
  let steps = 0
  for (let node = 0; node < locations.count; node++) {
    let place = 0
    let line = 0
    const row = node * sampleTypeCount
    for (let type = 0; type < sampleTypeCount; type++) {
      own[type] = locations.values[row + type]!
      total[type] = totals[row + type]!
    }
    if (node > 0) {
      const parent = locations.firsts[node]!
      const location = samples.locationOf(locations.seconds[node]!, tables.locationIds)
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
        const isLast = index === count - 1
        detail.addLine(place, line, total, isLast ? own : undefined)
      }
    }
    places[node] = place

    for (let type = 0; type < sampleTypeCount; type++) {
      const value = own[type]!
      if (value !== 0) builder.add(place, type, value)
    }
    if (place >= hottestSelf.length) {
      const longer = new Float64Array(2 * place)
      longer.set(hottestSelf)
      hottestSelf = longer
    }
    const self = Math.abs(own[defaultSampleTypeIndex]!)
    if (line !== 0 && self > hottestSelf[place]!) {
      hottestSelf[place] = self
      builder.setLine(place, line)
    }
  }
  const { unknownLocations } = frames
  if (unknownLocations > 0) {
    warnings.push(`${unknownLocations} of ${tables.locationIds.count} locations have no function names.`)
  }
  const { positions, nodes, selfValues } = builder.finish()
  for (let node = 0; node < places.length; node++) places[node] = positions[places[node]!]!
  return {
    functions: frames.functions.finish(),
    nodes,
    selfValues,
    detail: detail.finish(positions, warnings),
    places,
  }
}

/** Per node of a tree and sample type, its value with what is below it. Parents have lower numbers. */
function totalsOf({ count, firsts, values, valueWidth }: PairTable): Float64Array {
  const totals = values.slice(0, count * valueWidth)
  for (let node = count - 1; node > 0; node--) {
    const parent = firsts[node]! * valueWidth
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
