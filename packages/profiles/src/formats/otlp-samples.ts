import { limits } from '../limits.ts'
import type { ProfileBuilder } from '../profile-builder.ts'
import { textOf, type OtlpText, type OtlpValue } from './otlp-attributes.ts'
import type { OtlpDictionary } from './otlp-dictionary.ts'
import type { OtlpProfile, OtlpResource } from './otlp-envelope.ts'
import { bytesField, fixedField, readIndex, readMessage, readRepeated, varintField } from './otlp-fields.ts'
import type { OtlpStacks } from './otlp-stacks.ts'
import { ProtobufCursor } from './protobuf.ts'

/** What our words for labels are called by OpenTelemetry. */
const labelNames = new Map([
  ['thread.name', 'thread'],
  ['process.executable.name', 'process'],
])

/** Reads the samples of profiles into a builder. */
export class OtlpSamples {
  private readonly bytes: Uint8Array
  private readonly dictionary: OtlpDictionary
  private readonly builder: ProfileBuilder
  private readonly stacks: OtlpStacks
  private readonly row: Float64Array
  /** Label sets by what samples of the resource refer to: indexes of attributes and of the link. */
  private labelSets = new Map<string, number>()
  private resource: OtlpResource | undefined
  private resourceLabels: [name: string, value: string][] = []
  private unevenCount = 0
  private emptyCount = 0
  private surplusLabels = 0
  private unusableLabels = 0
  private untimedCount = 0

  // The sample that is being read.
  private stack = 0
  private link = 0
  private readonly attributes: number[] = []
  private readonly values: number[] = []
  private readonly timesNanos: number[] = []
  private readonly about = { labelSet: 0, timeMs: undefined as number | undefined, sampleCount: 1 }

  constructor(options: {
    bytes: Uint8Array
    dictionary: OtlpDictionary
    builder: ProfileBuilder
    stacks: OtlpStacks
    typeCount: number
  }) {
    this.bytes = options.bytes
    this.dictionary = options.dictionary
    this.builder = options.builder
    this.stacks = options.stacks
    this.row = new Float64Array(options.typeCount)
  }

  /** `startNanos`: what times in the timeline count from; 0 when it is not known. */
  read({ range, resource }: OtlpProfile, typeIndex: number, startNanos: number): void {
    if (resource !== this.resource) this.enter(resource)
    const cursor = new ProtobufCursor(this.bytes, 'otlp', range.start, range.end)
    while (cursor.position < range.end) {
      const tag = cursor.readTag()
      if (tag === bytesField(2)) {
        this.readSample(cursor)
        this.add(typeIndex, startNanos)
      } else cursor.skip(tag)
    }
  }

  warnings(): string[] {
    const counted: [count: number, words: string][] = [
      [this.emptyCount, 'samples have neither values nor times.'],
      [this.unevenCount, 'samples have other numbers of values than of times, which were left out.'],
      [this.untimedCount, 'samples have times that cannot be placed, for no profile says when it began.'],
      [
        this.surplusLabels,
        `attributes beyond ${limits.labelsPerSample} of a sample or resource were left out.`,
      ],
      [this.unusableLabels, 'attributes are lists, maps or bytes, and were left out.'],
    ]
    return counted.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`)
  }

  private enter(resource: OtlpResource): void {
    this.resource = resource
    this.labelSets = new Map()
    this.resourceLabels = []
    this.surplusLabels += resource.surplusCount
    for (const { key, value } of resource.attributes) this.addLabel(this.resourceLabels, key, value)
  }

  private readSample(cursor: ProtobufCursor): void {
    this.stack = 0
    this.link = 0
    this.attributes.length = 0
    this.values.length = 0
    this.timesNanos.length = 0
    readMessage(cursor, (tag) => {
      if (tag === varintField(1)) this.stack = readIndex(cursor)
      else if (tag === varintField(2) || tag === bytesField(2))
        readRepeated(cursor, tag, () => this.attributes.push(readIndex(cursor)))
      else if (tag === varintField(3)) this.link = readIndex(cursor)
      else if (tag === varintField(4) || tag === bytesField(4))
        readRepeated(cursor, tag, () => this.values.push(cursor.readInt()))
      else if (tag === fixedField(5) || tag === bytesField(5))
        readRepeated(cursor, tag, () => this.timesNanos.push(cursor.readFixed64()))
      else cursor.skip(tag)
    })
  }

  private add(typeIndex: number, startNanos: number): void {
    const { values, timesNanos, row, about } = this
    const isUneven = values.length > 0 && timesNanos.length > 0 && values.length !== timesNanos.length
    if (isUneven) this.unevenCount++
    if (values.length === 0 && timesNanos.length === 0) this.emptyCount++
    about.labelSet = this.labelSet()
    row[typeIndex] = values.length === 0 ? timesNanos.length : values.reduce((sum, value) => sum + value, 0)
    const node = this.stacks.node(this.stack, row)
    // The timeline is of the default sample type.
    const isTimed = timesNanos.length > 0 && !isUneven && typeIndex === 0
    if (isTimed && startNanos === 0) this.untimedCount++
    if (isTimed && startNanos > 0) {
      about.sampleCount = 1
      for (const [index, time] of timesNanos.entries()) {
        row[typeIndex] = values[index] ?? 1
        // Doubles hold the nanoseconds since 1970 to a quarter of a microsecond.
        about.timeMs = (time - startNanos) / 1e6
        this.builder.add(node, row, about)
      }
    } else {
      about.timeMs = undefined
      about.sampleCount = Math.max(1, values.length, timesNanos.length)
      this.builder.add(node, row, about)
    }
    row[typeIndex] = 0
  }

  private labelSet(): number {
    const key = `${this.attributes.join()};${this.link}`
    const known = this.labelSets.get(key)
    if (known !== undefined) return known
    const labels = [...this.resourceLabels]
    for (const index of this.attributes) {
      const attribute = this.dictionary.attribute(index)
      const unit = this.dictionary.strings.get(attribute.unit)
      this.addLabel(labels, attribute.key, attribute.value, unit)
    }
    if (this.link !== 0) {
      const { traceId, spanId } = this.dictionary.link(this.link)
      if (traceId !== '') this.addLabel(labels, 'trace_id', traceId)
      if (spanId !== '') this.addLabel(labels, 'span_id', spanId)
    }
    const index = this.builder.labelSet(labels)
    if (this.labelSets.size < limits.labelSets) this.labelSets.set(key, index)
    return index
  }

  private addLabel(labels: [string, string][], key: OtlpText, value: OtlpValue, unit = ''): void {
    const { strings } = this.dictionary
    const name = textOf(key, strings)
    if (name === '') return
    if (value === undefined) this.unusableLabels++
    else if (labels.length >= limits.labelsPerSample) this.surplusLabels++
    else {
      const known = labels.find((label) => label[0] === (labelNames.get(name) ?? name))
      const text = `${textOf(value, strings)} ${unit}`.trimEnd()
      // What a sample says is more than what its resource says.
      if (known !== undefined) known[1] = text
      else labels.push([labelNames.get(name) ?? name, text])
    }
  }
}
