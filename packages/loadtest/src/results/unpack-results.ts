import { createGunzip } from 'node:zlib'
import { SourceError } from '../import/importer.ts'
import { readBytes } from '../import/read-source.ts'
import { streamZip } from '../archive/read-zip.ts'
import { lookedAtBytes } from './recognise-results.ts'

/** Most bytes of a packed file, and of what it unpacks to. */
const packedBytesMax = 200_000_000
const unpackedBytesMax = 4_000_000_000

/** A file with its beginning, which is in `content` as well. */
export interface StartedFile {
  /** In an archive; '' of what is none. */
  name: string
  start: Uint8Array
  content: AsyncIterable<Uint8Array>
}

/** The files in what was uploaded, texts in UTF-8: itself, or what a gzip or ZIP file holds. One is read after the other. */
export async function* unpackResults(content: AsyncIterable<Uint8Array>): AsyncGenerator<StartedFile> {
  for await (const file of unpackedFiles(content)) {
    const encoding = utf16Of(file.start)
    yield encoding === undefined ? file : await started(file.name, inUtf8(file.content, encoding))
  }
}

/** By its byte order mark: what PowerShell writes with `>`, and spreadsheets as "Unicode text". */
function utf16Of([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

async function* inUtf8(content: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding)
  const encoder = new TextEncoder()
  for await (const piece of content) yield encoder.encode(decoder.decode(piece, { stream: true }))
  yield encoder.encode(decoder.decode())
}

async function* unpackedFiles(content: AsyncIterable<Uint8Array>): AsyncGenerator<StartedFile> {
  const file = await started('', content)
  const [first, second, third, fourth] = file.start
  if (first === 0x1f && second === 0x8b) yield await started('', gunzipped(file.content))
  else if (first === 0x50 && second === 0x4b && third === 3 && fourth === 4) {
    const bytes = await readBytes(file.content, packedBytesMax)
    for await (const entry of streamZip(bytes, unpackedBytesMax))
      if (!isOfNoUse(entry.name)) yield await unpackedEntry(entry)
  } else yield file
}

/** Files in an archive may be packed once more. */
async function unpackedEntry({ name, content }: { name: string; content: AsyncIterable<Uint8Array> }) {
  const file = await started(name, content)
  const isPacked = file.start[0] === 0x1f && file.start[1] === 0x8b
  return isPacked ? started(name, gunzipped(file.content)) : file
}

/** What systems put beside the files. */
function isOfNoUse(name: string): boolean {
  return name.startsWith('__MACOSX/') || /(?:^|\/)\.[^/]*$/.test(name)
}

async function started(name: string, content: AsyncIterable<Uint8Array>): Promise<StartedFile> {
  const pieces = content[Symbol.asyncIterator]()
  const read: Uint8Array[] = []
  let length = 0
  while (length < lookedAtBytes) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const piece = await pieces.next()
    if (piece.done === true) break
    read.push(piece.value)
    length += piece.value.length
  }
  const start = Buffer.concat(read)
  return { name, start, content: continued(start, pieces) }
}

async function* continued(start: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield start
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const piece = await rest.next()
    if (piece.done === true) return
    yield piece.value
  }
}

async function* gunzipped(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip()
  const written = writeAll(content, gunzip)
  let length = 0
  try {
    for await (const piece of gunzip) {
      length += piece.length
      if (length > unpackedBytesMax)
        throw new SourceError(`It unpacks to more than ${unpackedBytesMax / 1e6} MB, the most that is read.`)
      yield piece
    }
    await written
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw new SourceError(`It cannot be unpacked (gzip): ${error.message}.`)
    throw error
  }
}

async function writeAll(
  content: AsyncIterable<Uint8Array>,
  gunzip: ReturnType<typeof createGunzip>,
): Promise<void> {
  let goOn: (() => void) | undefined
  gunzip.on('drain', () => goOn?.()).on('close', () => goOn?.())
  try {
    for await (const piece of content) {
      if (gunzip.destroyed) return
      if (!gunzip.write(piece)) await new Promise<void>((resolve) => void (goOn = resolve))
    }
    gunzip.end()
  } catch (error) {
    gunzip.destroy(error instanceof Error ? error : new Error(String(error)))
  }
}
