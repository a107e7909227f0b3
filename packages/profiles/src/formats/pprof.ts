import { CallTreeBuilder } from '../call-tree-builder.ts'
import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import type { PairTable } from '../pair-table.ts'
import type { Profile } from '../profile.ts'
import { PprofFrames } from './pprof-frames.ts'
import { readSamples } from './pprof-samples.ts'
import { PprofTables } from './pprof-tables.ts'

/**
 * Reads an uncompressed pprof file: https://github.com/google/pprof/blob/main/proto/profile.proto
 *
 * Locations become functions, inlined ones too. A location without functions becomes `[binary]`, as
 * `go tool pprof` prints it. Frames that the file wants hidden (`drop_frames`) are.
 */
export function readPprof(bytes: Uint8Array, options: { maxNodes?: number }): Profile {
  const maxNodes = options.maxNodes ?? limits.nodes
  const tables = new PprofTables(bytes)
  if (tables.sampleCount === 0) throw new FormatError('the profile holds no samples', { format: 'pprof' })
  if (tables.sampleTypeCount === 0) throw new FormatError('the file has no sample types', { format: 'pprof' })

  const warnings: string[] = []
  const { tree, labels } = readSamples(bytes, tables, { maxNodes })
  const { defaultSampleTypeIndex } = tables
  const functionTree = toFunctionTree(tree, tables, { maxNodes, warnings })
  return {
    format: 'pprof',
    sampleTypes: tables.sampleTypes,
    defaultSampleTypeIndex,
    durationMs: tables.durationNanos > 0 ? tables.durationNanos / 1e6 : undefined,
    startedAt: toIsoTime(tables.timeNanos),
    sampleCount: tables.sampleCount,
    ...functionTree,
    labels: labels.summarize(tables.strings, defaultSampleTypeIndex, warnings),
    threads: [],
    warnings,
  }
}

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
 */
function toFunctionTree(
  locations: PairTable,
  tables: PprofTables,
  { maxNodes, warnings }: { maxNodes: number; warnings: string[] },
): Pick<Profile, 'functions' | 'nodes' | 'selfValues'> {
  const frames = new PprofFrames(tables, warnings)
  const { sampleTypeCount, defaultSampleTypeIndex } = tables
  const builder = new CallTreeBuilder({ sampleTypeCount, maxNodes, format: 'pprof' })
  const places = new Int32Array(locations.count)
  const states = new Uint8Array(locations.count)
  const hottestSelf: number[] = []
  let steps = 0
  for (let node = 0; node < locations.count; node++) {
    let place = 0
    let line = 0
    if (node > 0) {
      const parent = locations.firsts[node]!
      const location = locations.seconds[node]!
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
      }
    }
    places[node] = place

    for (let type = 0; type < sampleTypeCount; type++) {
      const value = locations.values[node * sampleTypeCount + type]!
      if (value !== 0) builder.add(place, type, value)
    }
    const self = Math.abs(locations.values[node * sampleTypeCount + defaultSampleTypeIndex]!)
    if (line !== 0 && self > (hottestSelf[place] ?? 0)) {
      hottestSelf[place] = self
      builder.setLine(place, line)
    }
  }
  const { unknownLocations } = frames
  if (unknownLocations > 0) {
    warnings.push(`${unknownLocations} of ${tables.locationIds.count} locations have no function names.`)
  }
  return { functions: frames.functions.finish(), ...builder.finish() }
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

function toIsoTime(unixNanos: number): string | undefined {
  const time = new Date(unixNanos / 1e6)
  return unixNanos === 0 || Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
