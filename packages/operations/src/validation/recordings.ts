import { readExchange, type Exchange, type RecordedExchange, type RecordingIndex } from '@flamegate/loadtest'
import type { Deps } from '../implement.ts'
import type { ExchangeFile, Recording } from '../ports/index.ts'

/** The most of a recording that is held at once, compressed. */
const heldBytesMax = 256 * 1024 * 1024

export type LazyBytes = () => Promise<Uint8Array>

/** Kept exchanges of which many will be looked at, for whoever reads them when it is their turn. */
export function exchangeFile(
  storage: Deps['storage'],
  { storageKey, index }: { storageKey: string; index: RecordingIndex },
): ExchangeFile<LazyBytes> {
  return { index, bytes: () => storage.read(storageKey, { maxBytes: heldBytesMax }) }
}

/** The same of a recording. */
export function recordingFile(
  storage: Deps['storage'],
  { storageKey, index }: Pick<Recording, 'storageKey' | 'index'>,
): ExchangeFile<LazyBytes> {
  return exchangeFile(storage, { storageKey, index: readIndex(index) })
}

/** One kept exchange; undefined when there is none at that place. */
export async function readOneExchange(
  storage: Deps['storage'],
  { storageKey, index }: { storageKey: string; index: RecordingIndex },
  place: number,
): Promise<Exchange | undefined> {
  if (place < 0 || place >= index.exchanges.length) return undefined
  const { offset, length } = entryAt(index, place)
  const source = await storage.open(storageKey)
  if (source === undefined) return undefined
  const pieces: Uint8Array[] = []
  let position = 0
  for await (const chunk of source) {
    const from = Math.max(0, offset - position)
    const to = Math.min(chunk.length, offset + length - position)
    if (from < to) pieces.push(chunk.subarray(from, to))
    position += chunk.length
    if (position >= offset + length) break
  }
  return readExchange(Buffer.concat(pieces))
}

/** As `recordings.index` has it. */
export function readIndex(bytes: Uint8Array): RecordingIndex {
  return JSON.parse(Buffer.from(bytes).toString())
}

function entryAt(index: RecordingIndex, place: number): RecordedExchange {
  const entry = index.exchanges[place]
  if (entry === undefined) throw new RangeError(`There is no exchange ${place}.`)
  return entry
}
