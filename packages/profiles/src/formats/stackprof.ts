import { CallGraph } from '../call-graph.ts'
import { FormatError } from '../format-error.ts'
import { toLine } from '../function-interner.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile, SampleType } from '../profile.ts'
import { isObject, JsonReader, type JsonObject } from './json.ts'

const format = 'stackprof'
const samples: SampleType = { type: 'samples', unit: 'count' }
/** What a sample stands for, by mode; other modes, such as `custom`, only count samples. */
const measures: Readonly<Record<string, { sampleType: SampleType; perInterval: number }>> = {
  // Intervals are in microseconds ...
  cpu: { sampleType: { type: 'cpu', unit: 'nanoseconds' }, perInterval: 1000 },
  wall: { sampleType: { type: 'wall', unit: 'nanoseconds' }, perInterval: 1000 },
  // ... or allocations.
  object: { sampleType: { type: 'alloc_objects', unit: 'count' }, perInterval: 1 },
}

/**
 * The results of Ruby's StackProf (version 1.2, StackProf 0.2) as JSON: what `stackprof --json` prints, or
 * `JSON.generate(StackProf.results)`. https://github.com/tmm1/stackprof
 *
 * - With `raw` (StackProf was run with `raw: true`), the stacks as they were. With the lines of `raw_lines` and, where there
 *   are times of samples, a timeline.
 * - Without it, frames with samples and the edges between them. The tree is made of that as told in call-graph.ts; samples
 *   of frames and through them are exact, what is where in the tree is worked out.
 *
 * `samples` are counted; by default it shows what they stand for: `cpu` is samples times the interval, `wall` the time
 * since the sample before (samples times the interval, where that is not told), `alloc_objects` samples times the interval.
 * Samples during garbage collection have the frames `(garbage collection)` and below it `(marking)` or `(sweeping)`, at
 * the root, as StackProf writes them.
 *
 * The binary dumps are Ruby's Marshal, which can hold any object; they are refused.
 */
export const stackprof: Importer = {
  format,
  recognizes: (file) => isMarshal(file.bytes) || isStackprof(file.jsonObject),
  read: (file, options) => {
    if (isMarshal(file.bytes)) {
      throw new FormatError(
        "this is a binary dump (Ruby's Marshal), which is not read; write JSON: stackprof --json file.dump > file.json",
        { format },
      )
    }
    return readStackprof(file.needJsonObject(format), options)
  },
}

/** Version 4.8 of Marshal, and a hash. */
function isMarshal(bytes: Uint8Array): boolean {
  return bytes[0] === 4 && bytes[1] === 8 && bytes[2] === 0x7b
}

function isStackprof(document: JsonObject | undefined): boolean {
  return isObject(document?.frames) && 'mode' in document && 'interval' in document && 'samples' in document
}

interface Frame {
  functionIndex: number
  value: JsonObject
  path: string
}

/** Values of a number of samples. */
type ValuesOf = (sampleCount: number) => number[]

function readStackprof(document: JsonObject, { maxNodes }: ImportOptions): ImportedProfile {
  const json = new JsonReader(format)
  const mode = json.string(document.mode, '$.mode')
  const interval = json.number(document.interval, '$.interval')
  const measure = Object.hasOwn(measures, mode) ? measures[mode] : undefined
  const builder = new ProfileBuilder({
    format,
    sampleTypes: measure === undefined ? [samples] : [samples, measure.sampleType],
    defaultSampleTypeIndex: measure === undefined ? 0 : 1,
    maxNodes,
  })
  const valuesOf: ValuesOf =
    measure === undefined
      ? (count) => [count]
      : (count) => [count, count * Math.max(0, interval) * measure.perInterval]
  const frames = new Map<number, Frame>()
  for (const [id, value] of Object.entries(json.object(document.frames, '$.frames'))) {
    const path = `$.frames[${JSON.stringify(id.slice(0, 40))}]`
    const frame = json.object(value, path)
    const name =
      frame.name === undefined || frame.name === null ? '' : json.string(frame.name, `${path}.name`)
    const file = typeof frame.file === 'string' ? frame.file : ''
    const line = typeof frame.line === 'number' ? frame.line : 0
    const functionIndex = builder.functions.intern(name || '(unknown)', file, line)
    frames.set(Number(id), { functionIndex, value: frame, path })
  }
  // For allocations, those between two samples count as missed ones.
  const isTimed = mode === 'cpu' || mode === 'wall'
  const missed = isTimed && typeof document.missed_samples === 'number' ? document.missed_samples : 0
  const warnings =
    missed > 0 ? [`StackProf missed ${missed} samples, because it was still busy with others.`] : []
  const isRaw = Array.isArray(document.raw) && document.raw.length > 0
  const about = isRaw
    ? readRaw(json, { document, frames, valuesOf, isWall: mode === 'wall' }, builder)
    : readAggregate(json, { frames, valuesOf, maxNodes }, builder)
  return builder.finish({ ...about, warnings })
}

interface Document {
  document: JsonObject
  frames: ReadonlyMap<number, Frame>
  valuesOf: ValuesOf
  isWall: boolean
}

/** `raw`: per stack its depth, its frames, outermost first, and how many samples in a row have it. */
function readRaw(
  json: JsonReader,
  { document, frames, valuesOf, isWall }: Document,
  builder: ProfileBuilder,
): { durationMs?: number } {
  const raw = json.numbers(document.raw, '$.raw')
  const lines = document.raw_lines === undefined ? undefined : json.numbers(document.raw_lines, '$.raw_lines')
  const deltas =
    document.raw_timestamp_deltas === undefined
      ? new Float64Array()
      : json.numbers(document.raw_timestamp_deltas, '$.raw_timestamp_deltas')
  const timesMs = sampleTimes(json, document, deltas)
  let sample = 0
  for (let index = 0; index < raw.length;) {
    const depth = raw[index]!
    const end = index + 1 + depth
    if (!Number.isInteger(depth) || depth < 0 || end >= raw.length)
      json.fail('the stack does not end in the file', `$.raw[${index}]`)
    const count = raw[end]!
    if (!Number.isInteger(count) || count < 0) json.fail('expected a number of samples', `$.raw[${end}]`)
    const timedCount = Math.min(count, Math.max(0, timesMs.length - sample))
    const values = valuesOf(count)
    if (isWall && deltas.length >= sample + count) values[1] = sumOf(deltas, sample, sample + count) * 1000

    let node = 0
    for (let place = index + 1; place < end; place++) {
      const frame = frames.get(raw[place]!) ?? json.fail('no such frame', `$.raw[${place}]`)
      const line = toLine(lines?.[place] ?? 0)
      node = builder.child(node, frame.functionIndex, line)
      builder.addLine(node, line, values, place === end - 1 ? values : undefined)
    }
    for (let timed = 0; timed < timedCount; timed++) {
      const own = valuesOf(1)
      if (isWall && deltas.length >= sample + count)
        own[1] = sumOf(deltas, sample + timed, sample + timed + 1) * 1000
      builder.add(node, own, { timeMs: timesMs[sample + timed]! })
    }
    const rest = count - timedCount
    if (rest > 0) builder.add(node, timedCount === 0 ? values : valuesOf(rest), { sampleCount: rest })
    sample += count
    index = end + 1
  }
  const durationMs = timesMs.length > 1 ? timesMs[timesMs.length - 1]! : 0
  return durationMs > 0 ? { durationMs } : {}
}

/** Since the first sample. Later versions tell the times themselves, in microseconds. */
function sampleTimes(json: JsonReader, document: JsonObject, deltas: Float64Array): Float64Array {
  if (document.raw_sample_timestamps !== undefined) {
    const times = json.numbers(document.raw_sample_timestamps, '$.raw_sample_timestamps')
    return times.map((time) => (time - times[0]!) / 1000)
  }
  let time = 0
  return deltas.map((delta, index) => (index === 0 ? 0 : (time += Math.max(0, delta) / 1000)))
}

function sumOf(deltas: Float64Array, from: number, to: number): number {
  let sum = 0
  for (let index = from; index < to; index++) sum += Math.max(0, deltas[index]!)
  return sum
}

/** `edges`: samples by called frame. `lines`: [samples through it, samples in it] by line, or only the first of them. */
function readAggregate(
  json: JsonReader,
  {
    frames,
    valuesOf,
    maxNodes,
  }: { frames: ReadonlyMap<number, Frame>; valuesOf: ValuesOf; maxNodes: number | undefined },
  builder: ProfileBuilder,
): { sampleCount: number } {
  const graph = new CallGraph({ format, sampleTypeCount: valuesOf(1).length })
  const countAt = (value: unknown, path: string) => {
    const count = json.number(value, path)
    return count >= 0 ? count : json.fail('expected a number of samples', path)
  }
  let sampleCount = 0
  for (const { functionIndex, value, path } of frames.values()) {
    const own = countAt(value.samples, `${path}.samples`)
    sampleCount += own
    graph.addInclusive(functionIndex, valuesOf(countAt(value.total_samples, `${path}.total_samples`)))
    let unplaced = own
    for (const [line, counts] of Object.entries(isObject(value.lines) ? value.lines : {})) {
      const linePath = `${path}.lines[${line.slice(0, 20)}]`
      if (!Array.isArray(counts)) continue
      const ownHere = Math.min(unplaced, countAt(counts[1], linePath))
      unplaced -= ownHere
      graph.addSelf(functionIndex, valuesOf(ownHere), toLine(Number(line)))
      const called = Math.max(0, countAt(counts[0], linePath) - ownHere)
      graph.addCalledAt(functionIndex, toLine(Number(line)), valuesOf(called))
    }
    graph.addSelf(functionIndex, valuesOf(unplaced))
    for (const [id, count] of Object.entries(isObject(value.edges) ? value.edges : {})) {
      const edgePath = `${path}.edges[${JSON.stringify(id.slice(0, 40))}]`
      const callee = frames.get(Number(id)) ?? json.fail('no such frame', edgePath)
      graph.addCall(
        { caller: functionIndex, callee: callee.functionIndex, calls: 0 },
        valuesOf(countAt(count, edgePath)),
      )
    }
  }
  graph.addTo(builder, { maxNodes })
  return { sampleCount }
}
