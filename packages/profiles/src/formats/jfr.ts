import { FormatError } from '../format-error.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile } from '../profile.ts'
import { isChunkAt, readChunks, type JfrChunk } from './jfr-chunk.ts'
import { eventKinds, sampleTypes, unitOf, type JfrSampleType } from './jfr-events.ts'
import { JfrFrames } from './jfr-frames.ts'
import { ClassLabels } from './jfr-labels.ts'
import { JfrSamples, type JfrReading } from './jfr-samples.ts'
import { countUp, surveyChunk, type JfrPart } from './jfr-survey.ts'

/** How many of a kind a warning, or warnings, name. */
const shown = 10

/**
 * A recording of Java Flight Recorder: versions 1 and 2, of JDK 8u262 and later, and what async-profiler writes
 * in it.
 * The format is described by its readers only: https://github.com/openjdk/jdk, in
 * `src/jdk.jfr/share/classes/jdk/jfr/internal/consumer`, and https://github.com/async-profiler/async-profiler, in
 * `src/flightRecorder.cpp` and `src/converter/one/jfr`.
 *
 * Events with stacks become samples, and there is a sample type for what each measures, where there are such events:
 *
 * | events                                                  | sample types                                          |
 * | ------------------------------------------------------- | ----------------------------------------------------- |
 * | ExecutionSample, CPUTimeSample                          | `samples`, `cpu` if the settings tell the period      |
 * | WallClockSample, or ExecutionSample if so set           | `wall_samples`, `wall` likewise                       |
 * | NativeMethodSample (mostly waiting, so not `cpu`)       | `native_samples`                                      |
 * | ObjectAllocation{InNewTLAB, OutsideTLAB}, else …Sample  | `alloc_objects` (those sampled), `alloc_space`        |
 * | LiveObject; Malloc                                      | `inuse_objects`, `inuse_space`; `malloc_…`            |
 * | JavaMonitorEnter, JavaMonitorWait, ThreadPark, …Sleep   | `lock_`, `wait_`, `park_`, `sleep_` `count`, `delay`  |
 * | Socket{Read, Write}, File{Read, Write, Force}           | `socket_`, `file_` `count`, `delay`, `bytes`          |
 * | GarbageCollection, else GCPhasePause: frames in `(GC)`  | `gc_count`, `gc_pause`                                |
 *
 * The JDK takes samples of up to five running threads at a time: with more of them, `cpu` is less than was used.
 * Threads are labels, and classes of what was allocated or waited for; see `JfrLabels`. Names are told by `JfrMethods`. Times
 * of events are those of the timeline. What else has a stack is named by a warning. A recording that is cut off is read
 * as far as its events and constants go.
 */
export const jfr: Importer = {
  format: 'jfr',
  recognizes: ({ bytes }) => isChunkAt(bytes, 0),
  read: ({ bytes }, options) => readJfr(bytes, options),
}

function readJfr(bytes: Uint8Array, { maxNodes }: ImportOptions): ImportedProfile {
  const warnings: string[] = []
  const chunks = readChunks(bytes)
  const parts = surveyChunks(bytes, chunks, warnings)
  leaveOut(parts, warnings)
  const typesThere = sampleTypesOf(parts)
  const types = sampleTypes.filter(({ type }) => typesThere.has(type))
  if (types.length === 0)
    throw new FormatError(['the recording holds no samples', ...warnings.slice(0, 2)].join('. '), {
      format: 'jfr',
    })

  const defaultColumn = defaultColumnOf(types.map(({ type }) => type))
  const builder = new ProfileBuilder({
    format: 'jfr',
    sampleTypes: types.map((sampleType) => ({ ...sampleType })),
    defaultSampleTypeIndex: defaultColumn,
    maxNodes,
  })
  const startNanos = parts.reduce(
    (earliest, { chunk }) => (chunk.startNanos < earliest ? chunk.startNanos : earliest),
    parts[0]!.chunk.startNanos,
  )
  const reading: JfrReading = {
    builder,
    frames: new JfrFrames(builder, types.length),
    columns: new Map(types.map(({ type }, index) => [type, index])),
    defaultColumn,
    startNanos,
    classLabels: new ClassLabels(),
    eventCount: 0,
    withoutStackCount: 0,
    truncatedCount: 0,
    lastMs: 0,
  }
  for (const part of parts) new JfrSamples(bytes, part, reading).read()
  warnOfSamples(reading, warnings)
  return builder.finish({
    durationMs: parts.reduce((last, { chunk }) => Math.max(last, endMs(chunk, startNanos)), reading.lastMs),
    startedAt: toIsoTime(startNanos),
    warnings,
    lines: reading.frames.lines(),
  })
}

/** What can be read of the chunks. */
function surveyChunks(bytes: Uint8Array, chunks: JfrChunk[], warnings: string[]): JfrPart[] {
  const parts: JfrPart[] = []
  let cutCount = 0
  for (const chunk of chunks) {
    const { isCut, metadataPosition, checkpoints } = chunk
    const isRead = metadataPosition !== undefined && checkpoints.length > 0
    if (isRead) parts.push(surveyChunk(bytes, chunk, metadataPosition))
    if (isCut && ++cutCount <= shown) warnings.push(aboutCut(chunk, isRead))
  }
  if (cutCount > shown) warnings.push(`${cutCount - shown} more parts of the recording were not finished.`)
  const end = chunks.at(-1)?.next ?? 0
  if (end < bytes.length) warnings.push(`The recording is cut off at byte ${bytes.length}.`)
  return parts
}

function aboutCut({ start, end }: JfrChunk, isRead: boolean): string {
  const outcome = isRead
    ? `: it was read up to byte ${end}`
    : ', and ends before what its events refer to: it was left out'
  return `The part of the recording that begins at byte ${start} was not finished${outcome}.`
}

/** Takes away the kinds of events that are not there, and those that tell the same as others. */
function leaveOut(parts: JfrPart[], warnings: string[]): void {
  const counts = new Map<string, number>()
  const unreadCounts = new Map<string, number>()
  for (const part of parts) {
    for (const [name, count] of part.counts) countUp(counts, name, count)
    for (const [name, count] of part.unreadCounts) countUp(unreadCounts, name, count)
  }
  for (const [name, { unlessThere }] of eventKinds) {
    const count = counts.get(name) ?? 0
    if (unlessThere === undefined || !counts.has(unlessThere) || count === 0) continue
    counts.delete(name)
    // Pauses are parts of collections; samples could be taken for more than those that were read.
    if (name !== 'jdk.GCPhasePause')
      warnings.push(`${name} (${count}) was left out, because ${unlessThere} tells the same.`)
  }
  for (const { kinds } of parts) {
    for (const [id, { jfrClass }] of kinds) if (!counts.has(jfrClass.name)) kinds.delete(id)
  }
  const unread = [...unreadCounts].toSorted((a, b) => b[1] - a[1])
  if (unread.length === 0) return
  const names = unread.slice(0, shown).map(([name, count]) => `${name.slice(0, 60)} (${count})`)
  const more = unread.length > shown ? `, and ${unread.length - shown} more` : ''
  warnings.push(`Events with stacks that are no part of the profile: ${names.join(', ')}${more}.`)
}

/** Time on a processor if there is any, else time, else what is not a count. */
function defaultColumnOf(types: JfrSampleType[]): number {
  const wanted = (['cpu', 'samples', 'wall', 'wall_samples'] as const).find((type) => types.includes(type))
  const column = types.findIndex((type) =>
    wanted === undefined ? unitOf(type) !== 'count' : type === wanted,
  )
  return Math.max(0, column)
}

/** The sample types that the events have values of. Times are only known when they are for every chunk. */
function sampleTypesOf(parts: JfrPart[]): Set<JfrSampleType> {
  const types = new Set<JfrSampleType>()
  const untimed = new Set<JfrSampleType>()
  for (const { kinds, counts, sampling } of parts) {
    for (const { jfrClass, kind } of kinds.values()) {
      if (!counts.has(jfrClass.name)) continue
      for (const [type] of kind.amounts ?? []) types.add(type)
      if (kind.isTimeSample !== true) {
        types.add(kind.count)
        continue
      }
      const isOfWall = kind.count === 'wall_samples' || sampling.isWall !== 'never'
      const isOfCpu = kind.count === 'samples' || sampling.isWall === 'always'
      if (isOfWall) types.add('wall_samples').add('wall')
      if (isOfCpu) types.add('samples').add('cpu')
      if (isOfWall && sampling.wallPeriod === undefined) untimed.add('wall')
      if (isOfCpu && sampling.cpuPeriod === undefined) untimed.add('cpu')
    }
  }
  for (const type of untimed) types.delete(type)
  return types
}

function warnOfSamples(reading: JfrReading, warnings: string[]): void {
  const { eventCount, withoutStackCount, truncatedCount, classLabels, frames } = reading
  if (withoutStackCount > 0)
    warnings.push(`${withoutStackCount} of ${eventCount} samples have no stack and count for the whole.`)
  if (truncatedCount > 0)
    warnings.push(
      `${truncatedCount} of ${eventCount} samples lack their outermost frames: record with a larger stackdepth.`,
    )
  if (classLabels.lostCount > 0)
    warnings.push(
      `Too many threads and classes to tell apart: ${classLabels.lostCount} samples lack the label class.`,
    )
  if (frames.lostCount > 0)
    warnings.push(`Too many frames to tell their lines apart: ${frames.lostCount} stacks lack them.`)
}

function endMs(chunk: JfrChunk, startNanos: bigint): number {
  return (Number(chunk.startNanos - startNanos) + chunk.durationNanos) / 1e6
}

function toIsoTime(unixNanos: bigint): string | undefined {
  const time = new Date(Number(unixNanos / 1_000_000n))
  return unixNanos === 0n || Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
