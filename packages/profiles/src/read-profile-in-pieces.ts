import { PprofReader } from './formats/pprof-reader.ts'
import { pprof } from './formats/pprof.ts'
import { gunzipInPieces, gunzipStart, isGzip } from './gunzip.ts'
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
 * As `readProfile`, and with the same result, of a file that comes in pieces. A large gzipped pprof file is never there as a
 * whole, neither as it came nor inflated: it is read as it comes. Inflating happens beside this thread, and other work has
 * its turn between the pieces.
 */
export async function readProfileInPieces(
  content: AsyncIterable<Uint8Array>,
  options: ReadProfileOptions = {},
): Promise<ImportedProfile> {
  const pieces = content[Symbol.asyncIterator]()
  try {
    const start: Uint8Array[] = []
    const isLarge = await take(pieces, start, largeBytes)
    if (!isLarge || !isPprof(joined(start), options)) {
      await take(pieces, start, Infinity)
      return readProfile(joined(start), options)
    }
    const reader = new PprofReader(options)
    const inflated = gunzipInPieces(continued(start, pieces), maxBytesOf(options))
    for await (const piece of inflated) reader.push(piece)
    return checkedProfile(reader.finish())
  } finally {
    await pieces.return?.()
  }
}

/** Adds pieces until these have so many bytes, and gives whether there were so many. */
async function take(
  pieces: AsyncIterator<Uint8Array>,
  taken: Uint8Array[],
  enough: number,
): Promise<boolean> {
  for (let size = 0; size < enough;) {
    const { done, value } = await pieces.next()
    if (done) return false
    taken.push(value)
    size += value.length
  }
  return true
}

function joined(pieces: Uint8Array[]): Uint8Array {
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
}

/** Whether the rest of a text is as its beginning is not known, so only this format is chosen by it. */
function isPprof(start: Uint8Array, { format = 'pprof' }: ReadProfileOptions): boolean {
  return format === 'pprof' && isGzip(start) && importerOf(new ProfileFile(gunzipStart(start))) === pprof
}

/** Lets go of the first pieces as they are read. */
async function* continued(start: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* start.splice(0)
  yield* { [Symbol.asyncIterator]: () => rest }
}
