import { PprofReader } from './formats/pprof-reader.ts'
import { pprof } from './formats/pprof.ts'
import { gunzipInPieces, isGzip } from './gunzip.ts'
import type { ImportedProfile } from './profile.ts'
import {
  checkedProfile,
  importerOf,
  maxBytesOf,
  readProfile,
  type ReadProfileOptions,
} from './read-profile.ts'
import { ProfileFile } from './profile-file.ts'

/** Smaller files are read at once as soon. */
const largeBytes = 2 ** 20

/**
 * As `readProfile`, and with the same result. A large gzipped pprof file is never there as a whole: it is read as it is
 * inflated, which happens beside this thread, and other work has its turn between the pieces.
 */
export async function readProfileInPieces(
  bytes: Uint8Array,
  options: ReadProfileOptions = {},
): Promise<ImportedProfile> {
  const isLarge = isGzip(bytes) && bytes.length >= largeBytes
  if (!isLarge || (options.format ?? 'pprof') !== 'pprof') return readProfile(bytes, options)
  const reader = new PprofReader(options)
  let isFirst = true
  for await (const piece of gunzipInPieces(bytes, maxBytesOf(options))) {
    // Whether the rest of a text is as its first piece is not known, so only this format is chosen by it.
    if (isFirst && importerOf(new ProfileFile(piece)) !== pprof) return readProfile(bytes, options)
    isFirst = false
    reader.push(piece)
  }
  return checkedProfile(reader.finish())
}
