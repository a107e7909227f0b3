import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { SourceError } from '../import/importer.ts'

/** What is read of a ZIP file, at most. */
export const zipLimits = { entries: 10_000, entryBytes: 200_000_000, totalBytes: 400_000_000 } as const

export interface ZippedFile {
  name: string
  bytes: Uint8Array
}

/**
 * The files in a ZIP file, one after the other. Names that lead out of a folder or come twice are refused, and so is what
 * unpacks to more than the limits, or than its name may, before it is unpacked.
 * @throws SourceError that names the entry
 */
export async function* readZip(
  bytes: Uint8Array,
  bytesMaxOf: (name: string) => number = () => zipLimits.entryBytes,
): AsyncGenerator<ZippedFile> {
  const zip = await openZip(bytes)
  if (zip.entryCount > zipLimits.entries)
    throw new SourceError(`It has ${zip.entryCount} entries; ${zipLimits.entries} are read at most.`)
  const entries = await listEntries(zip)
  check(entries, bytesMaxOf)
  for (const entry of entries) {
    const { fileName: name } = entry
    // oxlint-disable-next-line no-await-in-loop -- one is in memory at a time
    if (!name.endsWith('/')) yield { name, bytes: await unpack(zip, entry) }
  }
}

/**
 * The files in a ZIP file, each as it is unpacked, for files that need not be there as a whole; by the same rules, but that sizes
 * may be up to `bytesMax` together.
 * @throws SourceError that names the entry
 */
export async function* streamZip(
  bytes: Uint8Array,
  bytesMax: number,
): AsyncGenerator<{ name: string; content: AsyncIterable<Uint8Array> }> {
  const zip = await openZip(bytes)
  if (zip.entryCount > zipLimits.entries)
    throw new SourceError(`It has ${zip.entryCount} entries; ${zipLimits.entries} are read at most.`)
  const entries = await listEntries(zip)
  checkNames(entries)
  if (entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0) > bytesMax)
    throw new SourceError(`It unpacks to more than ${bytesMax / 1e6} MB, the most that is read.`)
  for (const entry of entries)
    if (!entry.fileName.endsWith('/')) yield { name: entry.fileName, content: pieces(zip, entry) }
}

async function* pieces(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let checksum = 0
  try {
    for await (const piece of await zip.openReadStreamPromise(entry)) {
      checksum = crc32(piece, checksum)
      yield piece
    }
  } catch (error) {
    throw notReadable(error, entry.fileName)
  }
  if (checksum !== entry.crc32) throw damaged(entry.fileName)
}

function checkNames(entries: readonly Entry[]): void {
  const names = new Set<string>()
  for (const { fileName: name } of entries) {
    if (names.has(name)) throw new SourceError('There are two entries of this name.', name)
    names.add(name)
  }
}

function damaged(name: string): SourceError {
  return new SourceError('Its checksum is wrong: it was damaged.', name)
}

function check(entries: readonly Entry[], bytesMaxOf: (name: string) => number): void {
  checkNames(entries)
  let total = 0
  for (const { fileName: name, uncompressedSize } of entries) {
    total += uncompressedSize
    if (uncompressedSize > Math.min(zipLimits.entryBytes, bytesMaxOf(name)) || total > zipLimits.totalBytes)
      throw new SourceError('It unpacks to more than is read of an archive.', name)
  }
}

async function openZip(bytes: Uint8Array): Promise<ZipFile> {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return await fromBufferPromise(buffer, { strictFileNames: true })
  } catch (error) {
    throw notReadable(error)
  }
}

async function listEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = []
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry)
    return entries
  } catch (error) {
    throw notReadable(error)
  }
}

async function unpack(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  // Its size is what the entry says, or the stream fails.
  const bytes = new Uint8Array(entry.uncompressedSize)
  let length = 0
  try {
    for await (const piece of await zip.openReadStreamPromise(entry)) {
      bytes.set(piece, length)
      length += piece.length
    }
  } catch (error) {
    throw notReadable(error, entry.fileName)
  }
  if (crc32(bytes) !== entry.crc32) throw damaged(entry.fileName)
  return bytes
}

function notReadable(error: unknown, name?: string): SourceError {
  return new SourceError(
    `It cannot be read as a ZIP file: ${error instanceof Error ? error.message : String(error)}.`,
    name,
  )
}
