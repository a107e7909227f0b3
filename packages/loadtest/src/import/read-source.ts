import { SourceError } from './importer.ts'

/** Most that is read of a source which has to be there as a whole, in bytes. */
export const wholeSourceBytesMax = 50_000_000

/** All bytes of a source. */
export async function readBytes(
  source: AsyncIterable<Uint8Array>,
  maxBytes = wholeSourceBytesMax,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    length += chunk.length
    if (length > maxBytes)
      throw new SourceError(`It is larger than ${maxBytes / 1e6} MB, the most that is read of this format.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** All of a source as text; a byte order mark is left out. */
export async function readText(source: AsyncIterable<Uint8Array>, maxBytes?: number): Promise<string> {
  const bytes = await readBytes(source, maxBytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new SourceError('It is no text in UTF-8.')
  }
}
