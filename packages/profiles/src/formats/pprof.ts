import { FormatError } from '../format-error.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import type { ImportedProfile } from '../profile.ts'
import { PprofReader } from './pprof-reader.ts'
import { isProfileTag } from './pprof-tables.ts'
import { ProtobufCursor, wireBytes } from './protobuf.ts'

/**
 * A pprof file: https://github.com/google/pprof/blob/main/proto/profile.proto
 *
 * Locations become functions, inlined ones too. A location without functions becomes `[binary]`, as
 * `go tool pprof` prints it. Frames that the file wants hidden (`drop_frames`) are.
 */
export const pprof: Importer = {
  format: 'pprof',
  recognizes: ({ bytes }) => looksLikePprof(bytes),
  read: ({ bytes }, options) => readPprof(bytes, options),
}

/** The first fields have the numbers and wire types of `message Profile`, and one that matters is among them. */
function looksLikePprof(bytes: Uint8Array): boolean {
  const cursor = new ProtobufCursor(bytes, 'pprof')
  const samplesOrStrings = new Set([1, 2, 6])
  let hasKnown = false
  let fieldCount = 0
  try {
    for (; fieldCount < 100 && cursor.position < bytes.length; fieldCount++) {
      const tag = cursor.readTag()
      if (!isProfileTag(tag) || tag >>> 3 > 100) return false
      if ((tag & 7) === wireBytes && samplesOrStrings.has(tag >>> 3)) hasKnown = true
      cursor.skip(tag)
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    // Cut off: enough was seen to say what it is cut off from.
    return hasKnown && fieldCount >= 2
  }
  return hasKnown
}

function readPprof(bytes: Uint8Array, options: ImportOptions): ImportedProfile {
  const reader = new PprofReader(options)
  reader.push(bytes)
  return reader.finish()
}
