import { eventKinds, type JfrEventKind } from './jfr-events.ts'
import { JfrEvents, metadataType, type JfrChunk } from './jfr-chunk.ts'
import { JfrCursor } from './jfr-cursor.ts'
import { JfrMetadata, type JfrClass } from './jfr-metadata.ts'
import { JfrRecord } from './jfr-record.ts'
import { samplingOf, type JfrSampling, type JfrSetting } from './jfr-sampling.ts'

/** A chunk that can be read, and what its events are. */
export interface JfrPart {
  chunk: JfrChunk
  metadata: JfrMetadata
  sampling: JfrSampling
  /** The events that are read, by the ids of their classes. */
  kinds: Map<number, { jfrClass: JfrClass; kind: JfrEventKind }>
  /** How many of them there are, by the names of their classes. */
  counts: Map<string, number>
  /** How many events with a stack are not read, by the names of their classes. */
  unreadCounts: Map<string, number>
}

/** Goes through the events of a chunk to see which there are and what the settings were: that decides on the sample types. */
export function surveyChunk(bytes: Uint8Array, chunk: JfrChunk, metadataPosition: number): JfrPart {
  const metadata = readMetadata(bytes, chunk, metadataPosition)
  const kinds: JfrPart['kinds'] = new Map()
  const counts: JfrPart['counts'] = new Map()
  const unreadCounts: JfrPart['unreadCounts'] = new Map()
  const unread = new Map<number, { name: string; record: JfrRecord }>()
  const settings: JfrSetting[] = []
  let executionSampleId: number | undefined
  let settingRecord: JfrRecord | undefined
  let settingId: number | undefined
  for (const jfrClass of metadata.all()) {
    const { id, name, fields } = jfrClass
    const kind = eventKinds.get(name)
    if (name === 'jdk.ExecutionSample') executionSampleId = id
    if (name === 'jdk.ActiveSetting') {
      settingId = id
      settingRecord = new JfrRecord(metadata, jfrClass, ['id', 'name', 'value'])
    } else if (kind !== undefined) kinds.set(id, { jfrClass, kind })
    else if (fields.some((field) => field.name === 'stackTrace'))
      unread.set(id, { name, record: new JfrRecord(metadata, jfrClass, ['stackTrace']) })
  }

  const events = new JfrEvents(bytes, chunk)
  while (events.next()) {
    const { type, cursor } = events
    const read = kinds.get(type)
    if (read !== undefined) countUp(counts, read.jfrClass.name)
    else if (type === settingId && settingRecord !== undefined) {
      settingRecord.read(cursor)
      const [, name, value] = settingRecord.strings
      if (name !== undefined && value !== undefined)
        settings.push({ eventId: settingRecord.number(0), name, value })
    } else {
      const other = unread.get(type)
      if (other === undefined) continue
      other.record.read(cursor)
      if (other.record.number(0) !== 0) countUp(unreadCounts, other.name)
    }
  }
  return { chunk, metadata, sampling: samplingOf(settings, executionSampleId), kinds, counts, unreadCounts }
}

/** Adds to what is counted by name. */
export function countUp(counts: Map<string, number>, name: string, count = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + count)
}

function readMetadata(bytes: Uint8Array, chunk: JfrChunk, position: number): JfrMetadata {
  const cursor = new JfrCursor(bytes, position, chunk.end)
  if (position <= chunk.start || position >= chunk.end)
    cursor.fail(`metadata should be at byte ${position}, which is not within its part`, chunk.start)
  const size = cursor.readLong()
  if (size <= 0 || size > chunk.end - position) cursor.fail('metadata go beyond their part', position)
  cursor.end = position + size
  if (cursor.readLong() !== metadataType) cursor.fail('metadata should be here', position)
  cursor.skipIntegers(2)
  return new JfrMetadata(cursor)
}
