import { detectBinaryOrText, detectJsonFormat, looksLikeJson } from './detect-format.ts'
import { FormatError } from './format-error.ts'
import { readCollapsed } from './formats/collapsed.ts'
import { readCpuProfile } from './formats/cpuprofile.ts'
import { readHeapProfile } from './formats/heapprofile.ts'
import { isObject, parseJson, type JsonObject } from './formats/json.ts'
import { readPprof } from './formats/pprof.ts'
import { readSpeedscope } from './formats/speedscope.ts'
import { gunzip, isGzip } from './gunzip.ts'
import { limits } from './limits.ts'
import { profileFormats, type Profile, type ProfileFormat } from './profile.ts'

export interface ReadProfileOptions {
  /** Read it as this; another format is refused. When absent, the content tells. */
  format?: ProfileFormat
  /** Largest size of the file, decompressed; 512 MiB when absent. */
  maxDecompressedBytes?: number
  /** Largest number of call-tree nodes; 2,097,152 when absent. */
  maxNodes?: number
}

const jsonReaders = {
  cpuprofile: readCpuProfile,
  heapprofile: readHeapProfile,
  speedscope: readSpeedscope,
} satisfies Partial<Record<ProfileFormat, (document: JsonObject, options: { maxNodes?: number }) => Profile>>

/**
 * Reads a profile of any format we know, gzipped or not.
 *
 * Throws FormatError, and nothing else, when the file is not a profile, is damaged or cut off, holds no samples,
 * or is larger than the limits. Time and memory are bounded by the size of the file and those limits.
 */
export function readProfile(bytes: Uint8Array, options: ReadProfileOptions = {}): Profile {
  const maxBytes = Math.min(options.maxDecompressedBytes ?? limits.decompressedBytes, 2 ** 31 - 1)
  const content = isGzip(bytes) ? gunzip(bytes, maxBytes) : bytes
  if (content.length === 0) throw new FormatError('the file is empty', { format: options.format })
  if (content.length > maxBytes) throw new FormatError(`the file is larger than ${maxBytes} bytes`)

  const profile = readContent(content, options)
  if (!Number.isFinite(profile.durationMs)) delete profile.durationMs
  for (const selfValues of profile.selfValues) {
    const sumOfSizes = selfValues.reduce((sum, value) => sum + Math.abs(value), 0)
    if (!Number.isFinite(sumOfSizes))
      throw new FormatError('values add up to infinity', { format: profile.format })
  }
  return profile
}

function readContent(content: Uint8Array, options: ReadProfileOptions): Profile {
  if (looksLikeJson(content)) {
    const document = parseJson(content)
    const format = chooseFormat(detectJsonFormat(document), content, options.format)
    if (!isObject(document) || !isJsonFormat(format)) throw unknownFormat(content, options.format)
    return jsonReaders[format](document, options)
  }
  const format = chooseFormat(detectBinaryOrText(content), content, options.format)
  if (format === 'pprof') return readPprof(content, options)
  if (format === 'collapsed') return readCollapsed(content, options)
  throw unknownFormat(content, format)
}

/** What was asked for is tried, unless the content is clearly of another format. */
function chooseFormat(
  detected: ProfileFormat | undefined,
  content: Uint8Array,
  wanted: ProfileFormat | undefined,
): ProfileFormat {
  const format = detected ?? wanted
  if (format === undefined) throw unknownFormat(content, wanted)
  if (wanted !== undefined && wanted !== format) {
    throw new FormatError(`the file is of the format ${format}`, { format: wanted })
  }
  return format
}

function isJsonFormat(format: ProfileFormat): format is keyof typeof jsonReaders {
  return Object.hasOwn(jsonReaders, format)
}

function unknownFormat(content: Uint8Array, wanted: ProfileFormat | undefined): FormatError {
  const head = new TextDecoder('latin1').decode(content.subarray(0, 40))
  if (/^(heap profile: |goroutine profile: |--- \w+:|goroutine \d+ \[)/.test(head)) {
    return new FormatError(
      'this is a text dump of a Go profile; take the profile without the parameter debug',
    )
  }
  if (wanted !== undefined) return new FormatError('the file is not of this format', { format: wanted })
  return new FormatError(`the file is none of the formats that can be read: ${profileFormats.join(', ')}`)
}
