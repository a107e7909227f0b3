import type { ProfileBuilder, SampleAttributes } from '../profile-builder.ts'
import { JfrEvents } from './jfr-chunk.ts'
import { JfrConstants } from './jfr-constants.ts'
import { durationNanos, unitOf, type JfrEventKind, type JfrSampleType } from './jfr-events.ts'
import { JfrLabels, type ClassLabels } from './jfr-labels.ts'
import type { JfrFrames } from './jfr-frames.ts'
import type { JfrClass } from './jfr-metadata.ts'
import { JfrMethods } from './jfr-methods.ts'
import { JfrRecord } from './jfr-record.ts'
import { JfrStacks } from './jfr-stacks.ts'
import type { JfrPart } from './jfr-survey.ts'

/** What is the same for all chunks, or adds up over them. */
export interface JfrReading {
  builder: ProfileBuilder
  frames: JfrFrames
  /** Where in the values of a sample the types are that the profile has. */
  columns: ReadonlyMap<JfrSampleType, number>
  defaultColumn: number
  /** When the recording starts, in nanoseconds since 1970. */
  startNanos: bigint
  classLabels: ClassLabels
  eventCount: number
  withoutStackCount: number
  truncatedCount: number
  /** When the last event starts, in milliseconds since the start. */
  lastMs: number
}

/** Where a record has the fields that events of every kind are read for; those of amounts come after. */
const slots = { time: 0, thread: 1, stack: 2, class: 3, state: 4, samples: 5, name: 6, cause: 7 } as const
const firstAmountSlot = 8
/** Of names of collectors and causes; real ones are shorter. */
const maxNameLength = 200

/** Reads the events of one class. */
interface EventReader {
  record: JfrRecord
  count: number
  amounts: { column: number; slot: number; timeUnit: string | undefined }[]
  hasStack: boolean
  kind: JfrEventKind
}

/** Adds the events of a chunk to the profile. */
export class JfrSamples {
  private readonly part: JfrPart
  private readonly reading: JfrReading
  private readonly constants: JfrConstants
  private readonly stacks: JfrStacks
  private readonly labels: JfrLabels
  private readonly readers = new Map<number, EventReader>()
  private readonly events: JfrEvents
  private readonly startMs: number
  /** Of the event at hand. */
  private readonly values: Float64Array
  private readonly attributes: SampleAttributes = {}

  constructor(bytes: Uint8Array, part: JfrPart, reading: JfrReading) {
    const { chunk, metadata, kinds } = part
    const { builder, columns, classLabels, frames } = reading
    this.part = part
    this.reading = reading
    this.constants = new JfrConstants(bytes, chunk, metadata)
    const { constants } = this
    const methods = new JfrMethods(constants, builder.functions)
    this.stacks = new JfrStacks(frames, methods, { constants, bytes, chunkEnd: chunk.end })
    this.labels = new JfrLabels(builder, this.constants, classLabels)
    this.events = new JfrEvents(bytes, chunk)
    this.startMs = Number(chunk.startNanos - reading.startNanos) / 1e6
    this.values = new Float64Array(columns.size)
    for (const [id, { jfrClass, kind }] of kinds) this.readers.set(id, this.readerOf(jfrClass, kind))
  }

  /** Reads all of them. */
  read(): void {
    const { events, readers, constants, reading, values, attributes } = this
    const pooled = () => constants.pooledString(events.cursor)
    while (events.next()) {
      const reader = readers.get(events.type)
      if (reader === undefined) continue
      const { record } = reader
      record.read(events.cursor, pooled)
      values.fill(0)
      attributes.sampleCount = 1
      if (reader.kind.isTimeSample) this.measureTimeSample(reader)
      else this.measure(reader)
      const timeMs = this.timeMs(record)
      attributes.timeMs = values[reading.defaultColumn] === 0 ? undefined : timeMs
      reading.builder.add(
        reader.hasStack ? this.stackNode(record) : this.collectionNode(record),
        values,
        attributes,
      )
      reading.eventCount++
      if (timeMs > reading.lastMs) reading.lastMs = timeMs
    }
  }

  private readerOf(jfrClass: JfrClass, kind: JfrEventKind): EventReader {
    const { columns } = this.reading
    const has = (field: string) => jfrClass.fields.some(({ name }) => name === field)
    const amounts = kind.amounts ?? []
    const record = new JfrRecord(this.part.metadata, jfrClass, [
      'startTime',
      has('sampledThread') ? 'sampledThread' : 'eventThread',
      'stackTrace',
      kind.classField ?? '',
      'state',
      kind.samplesField ?? '',
      'name',
      'cause',
      ...amounts.map(([, field]) => field),
    ])
    return {
      record,
      count: columns.get(kind.count) ?? -1,
      amounts: amounts.map(([type], index) => {
        const slot = firstAmountSlot + index
        const unit = record.fields[slot]?.timespanUnit ?? 'TICKS'
        return {
          column: columns.get(type) ?? -1,
          slot,
          timeUnit: unitOf(type) === 'nanoseconds' ? unit : undefined,
        }
      }),
      hasStack: has('stackTrace'),
      kind,
    }
  }

  private measure({ record, count, amounts }: EventReader): void {
    const { values, part, labels, attributes } = this
    values[count] = 1
    for (const { column, slot, timeUnit } of amounts) {
      const amount = record.number(slot)
      // At the end of a file, -1 bytes are read.
      values[column] = Math.max(
        0,
        timeUnit === undefined ? amount : durationNanos(amount, timeUnit, part.chunk.ticksPerNano),
      )
    }
    attributes.labelSet = labels.ofClass(record, slots.thread, slots.class)
  }

  private measureTimeSample({ record, kind }: EventReader): void {
    const { constants, labels, attributes } = this
    const { isWall, cpuPeriod, wallPeriod } = this.part.sampling
    const state = kind.isAsleep === true ? 'STATE_SLEEPING' : (constants.text(record, slots.state) ?? '')
    const isOfWall =
      kind.count === 'wall_samples' ||
      isWall === 'always' ||
      (isWall === 'unless default' && state !== 'STATE_DEFAULT')
    const samples = Math.max(1, record.number(slots.samples))
    attributes.sampleCount = samples
    if (isOfWall) {
      this.set('wall_samples', samples)
      this.set('wall', samples * (wallPeriod ?? 0))
    }
    if (!isOfWall || (isWall === 'always' && state !== 'STATE_SLEEPING')) {
      this.set('samples', samples)
      this.set('cpu', samples * (cpuPeriod ?? 0))
    }
    attributes.labelSet = isOfWall
      ? labels.ofState(record, slots.thread, state)
      : labels.ofThread(record, slots.thread)
  }

  private set(type: JfrSampleType, value: number): void {
    const column = this.reading.columns.get(type)
    if (column !== undefined) this.values[column] = value
  }

  private timeMs(record: JfrRecord): number {
    const { startTicks, ticksPerNano } = this.part.chunk
    const timeMs = this.startMs + (record.number(slots.time) - startTicks) / (ticksPerNano * 1e6)
    // What took long may have begun before the recording did.
    return Math.max(0, timeMs)
  }

  private stackNode(record: JfrRecord): number {
    const { stacks, reading, values } = this
    const stack = stacks.find(record, slots.stack)
    if (stack === 0) {
      reading.withoutStackCount++
      return 0
    }
    const place = stacks.place(stack)
    reading.frames.add(place, values)
    if (stacks.hasMissingFrames(stack)) reading.truncatedCount++
    return reading.frames.node(place)
  }

  /** `(GC)`, and below it such as `G1New (G1 Evacuation Pause)`. */
  private collectionNode(record: JfrRecord): number {
    const { builder } = this.reading
    const [name = '', cause = ''] = [slots.name, slots.cause].map((slot) =>
      this.constants.text(record, slot)?.slice(0, maxNameLength),
    )
    const collections = builder.child(0, builder.functions.intern('(GC)'))
    const title = cause === '' ? name : `${name} (${cause})`
    return title === '' ? collections : builder.child(collections, builder.functions.intern(title))
  }
}
