import { FormatError } from './format-error.ts'
import { importers } from './formats/importers.ts'
import { gunzip, isGzip } from './gunzip.ts'
import type { Importer, ImportOptions } from './importer.ts'
import { limits } from './limits.ts'
import { openArchive, type ProfileArchive } from './profile-archive.ts'
import { ProfileFile } from './profile-file.ts'
import { isTar } from './tar.ts'
import { profileFormats, type ImportedProfile, type ProfileFormat } from './profile.ts'

export interface ReadProfileOptions extends ImportOptions {
  /** Read it as this; another format is refused. When absent, the content tells. */
  format?: ProfileFormat
}

/**
 * Reads a profile of any format we know, gzipped or not, alone or with its source maps in a tar archive.
 *
 * Throws FormatError, and nothing else, when the file is not a profile, is damaged or cut off, holds no samples,
 * or is larger than the limits. Time and memory are bounded by the size of the file and those limits.
 */
export function readProfile(bytes: Uint8Array, options: ReadProfileOptions = {}): ImportedProfile {
  const maxBytes = maxBytesOf(options)
  const content = decompressed(bytes, maxBytes)
  if (content.length === 0) throw new FormatError('the file is empty', { format: options.format })
  if (content.length > maxBytes) throw new FormatError(`the file is larger than ${maxBytes} bytes`)

  const archive = openArchive(content)
  if (archive === undefined) return readContent(content, options)
  // What is beside the profile counts, too.
  const otherBytes = content.length - archive.profile.length
  return readArchived(archive, { ...options, maxDecompressedBytes: maxBytes - otherBytes })
}

function readContent(content: Uint8Array, options: ReadProfileOptions): ImportedProfile {
  const file = new ProfileFile(content)
  return checkedProfile(chooseImporter(file, options.format).read(file, options))
}

function readArchived({ profile, sourceMaps }: ProfileArchive, options: ReadProfileOptions): ImportedProfile {
  const content = decompressed(profile, maxBytesOf(options))
  const read = readContent(content, { ...options, sourceMaps })
  return { ...read, warnings: [...read.warnings, ...sourceMaps.warnings()] }
}

/** The same profile, when its values are such that they can be added up. */
export function checkedProfile(profile: ImportedProfile): ImportedProfile {
  if (!Number.isFinite(profile.durationMs)) delete profile.durationMs
  for (const selfValues of profile.selfValues) {
    // A loop, as there may be millions: a callback makes an object of each sum.
    let sumOfSizes = 0
    for (const value of selfValues) sumOfSizes += Math.abs(value)
    if (!Number.isFinite(sumOfSizes))
      throw new FormatError('values add up to infinity', { format: profile.format })
  }
  return profile
}

/**
 * Tells the format of a file, gzipped or not, from its content. Undefined when it is none of ours.
 * Throws FormatError when the file is damaged so early that this cannot be told.
 */
export function detectProfileFormat(bytes: Uint8Array): ProfileFormat | undefined {
  const content = decompressed(bytes, limits.decompressedBytes)
  const profile = openArchive(content)?.profile
  const own = profile === undefined ? content : decompressed(profile, limits.decompressedBytes)
  return importerOf(new ProfileFile(own))?.format
}

export function maxBytesOf({ maxDecompressedBytes = limits.decompressedBytes }: ReadProfileOptions): number {
  return Math.min(maxDecompressedBytes, 2 ** 31 - 1)
}

function decompressed(bytes: Uint8Array, maxBytes: number): Uint8Array {
  return isGzip(bytes) ? gunzip(bytes, maxBytes) : bytes
}

/** Who reads a file; undefined when it is none of ours. An archive is none, whatever its first name looks like. */
export function importerOf(file: ProfileFile): Importer | undefined {
  return isTar(file.bytes) ? undefined : importers.find((importer) => importer.recognizes(file))
}

/** What was asked for is tried, unless the content is clearly of another format. */
function chooseImporter(file: ProfileFile, wanted: ProfileFormat | undefined): Importer {
  const importer = importerOf(file) ?? importers.find(({ format }) => format === wanted)
  if (importer === undefined) throw file.jsonError ?? unknownFormat()
  if (wanted !== undefined && wanted !== importer.format) {
    throw new FormatError(`the file is of the format ${importer.format}`, { format: wanted })
  }
  return importer
}

function unknownFormat(): FormatError {
  return new FormatError(`the file is none of the formats that can be read: ${profileFormats.join(', ')}`)
}
