import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import { readKeyValue, type OtlpText, type OtlpValue } from './otlp-attributes.ts'
import { bytesField, fixedField, readIndex, readMessage, skipMessage, varintField } from './otlp-fields.ts'
import { ProtobufCursor } from './protobuf.ts'

const profilesMax = 100_000
const resourceAttributesMax = limits.labelsPerSample

/** Where a message is in the file, without its length. */
interface ByteRange {
  start: number
  end: number
}

/** The head of a `message Profile`; its samples are read later. */
export interface OtlpProfile {
  range: ByteRange
  resource: OtlpResource
  /** Indexes of strings. */
  type: number
  unit: number
  /** Since 1970. 0 when not known. */
  timeNanos: number
  durationNanos: number
  sampleCount: number
  droppedAttributes: number
  /** Such as `jfr`, where the file that it was made from is kept in it. */
  originalFormat: string
}

export interface OtlpResource {
  attributes: { key: OtlpText; value: OtlpValue }[]
  /** Attributes beyond those. */
  surplusCount: number
}

/** What is in a `message ProfilesData`, without samples and dictionary. */
export interface OtlpEnvelope {
  profiles: OtlpProfile[]
  dictionaries: ByteRange[]
}

/** Reads the outside of a `message ProfilesData`, or of the request that exports one, which is alike. */
export function readEnvelope(bytes: Uint8Array): OtlpEnvelope {
  const cursor = new ProtobufCursor(bytes, 'otlp')
  const envelope: OtlpEnvelope = { profiles: [], dictionaries: [] }
  while (cursor.position < bytes.length) {
    const tag = cursor.readTag()
    if (tag === bytesField(1)) readResourceProfiles(cursor, envelope)
    else if (tag === bytesField(2)) envelope.dictionaries.push(skipMessage(cursor))
    else cursor.skip(tag)
    if (envelope.dictionaries.length > profilesMax) tooMany()
  }
  return envelope
}

function readResourceProfiles(cursor: ProtobufCursor, envelope: OtlpEnvelope): void {
  const resource: OtlpResource = { attributes: [], surplusCount: 0 }
  readMessage(cursor, (tag) => {
    if (tag === bytesField(1)) readMessage(cursor, (field) => readResource(cursor, field, resource))
    else if (tag === bytesField(2)) {
      readMessage(cursor, (field) => {
        if (field !== bytesField(2)) cursor.skip(field)
        else {
          const profile = readProfileHead(cursor, resource)
          if (profile.sampleCount > 0) envelope.profiles.push(profile)
          if (envelope.profiles.length > profilesMax) tooMany()
        }
      })
    } else cursor.skip(tag)
  })
}

function readResource(cursor: ProtobufCursor, tag: number, resource: OtlpResource): void {
  if (tag !== bytesField(1)) cursor.skip(tag)
  else if (resource.attributes.length < resourceAttributesMax) resource.attributes.push(readKeyValue(cursor))
  else {
    resource.surplusCount++
    cursor.skip(tag)
  }
}

function readProfileHead(cursor: ProtobufCursor, resource: OtlpResource): OtlpProfile {
  const profile: OtlpProfile = {
    range: { start: 0, end: 0 },
    resource,
    type: 0,
    unit: 0,
    timeNanos: 0,
    durationNanos: 0,
    sampleCount: 0,
    droppedAttributes: 0,
    originalFormat: '',
  }
  const before = cursor.position
  profile.range = skipMessage(cursor)
  cursor.position = before
  readMessage(cursor, (tag) => {
    if (tag === bytesField(1)) {
      readMessage(cursor, (field) => {
        if (field === varintField(1)) profile.type = readIndex(cursor)
        else if (field === varintField(2)) profile.unit = readIndex(cursor)
        else cursor.skip(field)
      })
      return
    }
    if (tag === bytesField(2)) profile.sampleCount++
    if (tag === fixedField(3)) profile.timeNanos = cursor.readFixed64()
    else if (tag === varintField(4)) profile.durationNanos = cursor.readUint()
    else if (tag === varintField(8)) profile.droppedAttributes = cursor.readUint()
    else if (tag === bytesField(9)) profile.originalFormat = textOf(cursor)
    else cursor.skip(tag)
  })
  return profile
}

function textOf(cursor: ProtobufCursor): string {
  const { start, end } = skipMessage(cursor)
  return new TextDecoder().decode(cursor.bytes.subarray(start, Math.min(end, start + 40)))
}

function tooMany(): never {
  throw new FormatError(`there are more than ${profilesMax} profiles`, { format: 'otlp' })
}
