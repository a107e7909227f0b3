import { FormatError } from '../format-error.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import { limits } from '../limits.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile, SampleType } from '../profile.ts'
import { OtlpDictionary } from './otlp-dictionary.ts'
import { readEnvelope, type OtlpProfile } from './otlp-envelope.ts'
import { bytesField } from './otlp-fields.ts'
import { encodeOtlpJson } from './otlp-json.ts'
import { OtlpSamples } from './otlp-samples.ts'
import { OtlpStacks } from './otlp-stacks.ts'
import { ProtobufCursor } from './protobuf.ts'

const format = 'otlp'

/**
 * OpenTelemetry's profiles, `opentelemetry.proto.profiles.v1development`, as they are from version 1.9 of its protocol
 * on (1.8 numbered fields otherwise): `ProfilesData` and `ExportProfilesServiceRequest`, as protocol buffers or as JSON.
 * https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/profiles/v1development/profiles.proto
 *
 * - The profiles of a message become one tree. Every pair of type and unit is a sample type; that of the first profile is
 *   the default.
 * - Attributes of resources and of samples become labels, where their values are no lists or maps: `thread.name` the label
 *   `thread`, `process.executable.name` the label `process`, others under their own names. A link to a span is the labels
 *   `trace_id` and `span_id`.
 * - Samples with times make up the timeline, those of the default sample type; a time without a value counts 1.
 * - Inlined functions are frames. A location without a function is `[binary]`, as in pprof; a frame of the kernel without a
 *   file is one of `[kernel.kallsyms]`. A sample without a stack is `<unknown>`.
 * - Attributes that the profiler dropped and original payloads are told of in a warning.
 */
export const otlp: Importer = {
  format,
  recognizes: (file) => looksLikeOtlp(file.bytes) || Array.isArray(file.jsonObject?.resourceProfiles),
  read: (file, options) =>
    readOtlp(file.jsonObject === undefined ? file.bytes : encodeOtlpJson(file.jsonObject), options),
}

/**
 * `ResourceProfiles`, which is field 1, is made of messages and strings only; in pprof, which has the same numbers outside,
 * field 1 is made of numbers.
 */
function looksLikeOtlp(bytes: Uint8Array): boolean {
  const cursor = new ProtobufCursor(bytes, format)
  try {
    while (cursor.position < bytes.length) {
      const tag = cursor.readTag()
      if (tag !== bytesField(1) && tag !== bytesField(2)) return false
      const end = cursor.readLength()
      if (tag === bytesField(1) && end > cursor.position)
        return holdsOnlyMessages(bytes, cursor.position, end)
      cursor.position = end
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
  }
  return false
}

function holdsOnlyMessages(bytes: Uint8Array, start: number, end: number): boolean {
  const cursor = new ProtobufCursor(bytes, format, start, end)
  while (cursor.position < end) {
    const tag = cursor.readTag()
    if (tag !== bytesField(1) && tag !== bytesField(2) && tag !== bytesField(3)) return false
    cursor.skip(tag)
  }
  return true
}

function readOtlp(bytes: Uint8Array, { maxNodes }: ImportOptions): ImportedProfile {
  const { profiles, dictionaries } = readEnvelope(bytes)
  if (profiles.length === 0) throw new FormatError('the profile holds no samples', { format })
  const dictionary = new OtlpDictionary(bytes)
  for (const range of dictionaries) dictionary.read(range)
  const { sampleTypes, typeIndexes } = sampleTypesOf(profiles, dictionary)
  const builder = new ProfileBuilder({ format, sampleTypes, maxNodes })
  const stacks = new OtlpStacks(dictionary, builder, sampleTypes.length)
  const samples = new OtlpSamples({ bytes, dictionary, builder, stacks, typeCount: sampleTypes.length })
  const { startNanos, endNanos } = timesOf(profiles)
  for (const [index, profile] of profiles.entries()) samples.read(profile, typeIndexes[index]!, startNanos)
  stacks.addLines()
  const startedAt = new Date(startNanos / 1e6)
  return builder.finish({
    durationMs: endNanos > startNanos ? (endNanos - startNanos) / 1e6 : undefined,
    startedAt: startNanos === 0 || Number.isNaN(startedAt.getTime()) ? undefined : startedAt.toISOString(),
    warnings: [...samples.warnings(), ...leftOut(profiles)],
  })
}

function sampleTypesOf(
  profiles: readonly OtlpProfile[],
  { strings }: OtlpDictionary,
): { sampleTypes: SampleType[]; typeIndexes: number[] } {
  const indexes = new Map<string, number>()
  const sampleTypes: SampleType[] = []
  const typeIndexes = profiles.map((profile) => {
    const type = strings.get(profile.type) || 'samples'
    const unit = strings.get(profile.unit) || 'count'
    const key = `${type}\0${unit}`
    const known = indexes.get(key)
    if (known !== undefined) return known
    if (sampleTypes.length >= limits.sampleTypes) {
      throw new FormatError(`there are more than ${limits.sampleTypes} sample types`, { format })
    }
    indexes.set(key, sampleTypes.length)
    return sampleTypes.push({ type, unit }) - 1
  })
  return { sampleTypes, typeIndexes }
}

/** From when the first profile begins to when the last ends; 0 where no profile knows. */
function timesOf(profiles: readonly OtlpProfile[]): { startNanos: number; endNanos: number } {
  let startNanos = Infinity
  let endNanos = 0
  for (const { timeNanos, durationNanos } of profiles) {
    if (timeNanos === 0) continue
    startNanos = Math.min(startNanos, timeNanos)
    endNanos = Math.max(endNanos, timeNanos + durationNanos)
  }
  return startNanos === Infinity ? { startNanos: 0, endNanos: 0 } : { startNanos, endNanos }
}

function leftOut(profiles: readonly OtlpProfile[]): string[] {
  const dropped = profiles.reduce((sum, { droppedAttributes }) => sum + droppedAttributes, 0)
  const originals = new Set(profiles.map(({ originalFormat }) => originalFormat))
  originals.delete('')
  return [
    ...(dropped === 0 ? [] : [`The profiler dropped ${dropped} attributes.`]),
    ...(originals.size === 0
      ? []
      : [`Original payloads (${[...originals].slice(0, 5).join(', ')}) were not read.`]),
  ]
}
