import { ByteWriter } from '../exports/byte-writer.ts'
import { FormatError } from '../format-error.ts'
import { readKeyValue, textOf, type OtlpText, type OtlpValue } from './otlp-attributes.ts'
import { bytesField, readMessage, skipMessage } from './otlp-fields.ts'
import { OtlpStrings } from './otlp-strings.ts'
import { ProtobufCursor } from './protobuf.ts'

/** Services that get a message of their own; the rest share one. Fewer where the dictionary, which each gets, is large. */
const servicesMax = 50
const copiedBytesMax = 32 * 1024 * 1024
const resourcesMax = 10_000
/** Among the first of them is what the service is called. */
const attributesMax = 64

interface ByteRange {
  start: number
  end: number
}

interface ResourceProfiles {
  /** With its tag. */
  range: ByteRange
  attributes: { key: OtlpText; value: OtlpValue }[]
}

/**
 * Takes a message of OpenTelemetry's profiles apart by `service.name`, each part a message with the whole dictionary; the
 * service is '' where there is none. What has no samples is left out. No more is read than that takes, so that it may be
 * done where others wait: neither samples nor dictionary are walked through.
 * @throws FormatError
 */
export function splitByService(bytes: Uint8Array): { service: string; content: Uint8Array }[] {
  const { resources, dictionaries } = readOutside(bytes)
  const dictionaryBytes = dictionaries.reduce((sum, { start, end }) => sum + end - start, 0)
  const most = Math.max(1, Math.min(servicesMax, Math.floor(copiedBytesMax / (dictionaryBytes + 1))))
  const nameOf = serviceNames(bytes, dictionaries)
  const byService = new Map<string, ResourceProfiles[]>()
  for (const resource of resources) {
    const name = nameOf(resource)
    const service = byService.has(name) || byService.size < most ? name : ''
    const parts = byService.get(service)
    if (parts === undefined) byService.set(service, [resource])
    else parts.push(resource)
  }
  const [only] = byService.keys()
  if (only !== undefined && byService.size === 1) return [{ service: only, content: bytes }]
  return [...byService].map(([service, parts]) => {
    const writer = new ByteWriter()
    for (const { range } of parts) writer.append(bytes.subarray(range.start, range.end))
    for (const { start, end } of dictionaries) {
      writer
        .varint(bytesField(2))
        .varint(end - start)
        .append(bytes.subarray(start, end))
    }
    return { service, content: writer.finish() }
  })
}

function readOutside(bytes: Uint8Array): { resources: ResourceProfiles[]; dictionaries: ByteRange[] } {
  const cursor = new ProtobufCursor(bytes, 'otlp')
  const resources: ResourceProfiles[] = []
  const dictionaries: ByteRange[] = []
  for (let count = 0; cursor.position < bytes.length; count++) {
    if (count > resourcesMax)
      throw new FormatError(`there are more than ${resourcesMax} resources`, { format: 'otlp' })
    const start = cursor.position
    const tag = cursor.readTag()
    if (tag === bytesField(2)) dictionaries.push(skipMessage(cursor))
    else if (tag === bytesField(1)) {
      const { attributes, hasSamples } = readResourceProfiles(cursor)
      if (hasSamples) resources.push({ range: { start, end: cursor.position }, attributes })
    } else cursor.skip(tag)
  }
  return { resources, dictionaries }
}

function readResourceProfiles(cursor: ProtobufCursor) {
  const attributes: ResourceProfiles['attributes'] = []
  let hasSamples = false
  readMessage(cursor, (tag) => {
    if (tag === bytesField(1)) {
      readMessage(cursor, (field) => {
        if (field === bytesField(1)) attributes.push(readKeyValue(cursor))
        else cursor.skip(field)
        if (attributes.length >= attributesMax) cursor.position = cursor.end
      })
    } else if (tag === bytesField(2) && !hasSamples) {
      readMessage(cursor, (field) => {
        if (field === bytesField(2)) hasSamples = hasSample(cursor)
        else cursor.skip(field)
        if (hasSamples) cursor.position = cursor.end
      })
    } else cursor.skip(tag)
  })
  return { attributes, hasSamples }
}

/** Whether the `message Profile` at the cursor has a sample. */
function hasSample(cursor: ProtobufCursor): boolean {
  let found = false
  readMessage(cursor, (tag) => {
    found = tag === bytesField(2)
    if (found) cursor.position = cursor.end
    else cursor.skip(tag)
  })
  return found
}

/** Resources may name strings of the dictionary, which is looked through only then. */
function serviceNames(bytes: Uint8Array, dictionaries: readonly ByteRange[]) {
  let strings: OtlpStrings | undefined
  const text = (value: OtlpText) =>
    typeof value === 'string' ? value : textOf(value, (strings ??= stringsOf(bytes, dictionaries)))
  return ({ attributes }: ResourceProfiles): string => {
    const attribute = attributes.find(({ key }) => text(key) === 'service.name')
    return attribute?.value === undefined ? '' : text(attribute.value)
  }
}

function stringsOf(bytes: Uint8Array, dictionaries: readonly ByteRange[]): OtlpStrings {
  const strings = new OtlpStrings(bytes)
  for (const { start, end } of dictionaries) {
    const cursor = new ProtobufCursor(bytes, 'otlp', start, end)
    while (cursor.position < end) {
      const tag = cursor.readTag()
      if (tag === bytesField(5)) strings.add(skipMessage(cursor))
      else cursor.skip(tag)
    }
  }
  return strings
}
