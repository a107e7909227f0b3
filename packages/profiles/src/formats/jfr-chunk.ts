import { FormatError } from '../format-error.ts'
import { JfrCursor } from './jfr-cursor.ts'

/** `FLR\0` */
const magic = 0x464c5200
const headerBytes = 68
/** Beyond the end of every file. */
const maxPosition = 2 ** 31 - 1
/** Chunks are megabytes long, and have metadata of their own. */
const maxChunks = 2 ** 16
export const metadataType = 0
export const checkpointType = 1

/**
 * A part of a recording with metadata and constants of its own; each begins with a header (big-endian):
 *
 *     0 magic   4 major   6 minor   8 size   16 checkpoint   24 metadata   32 start (ns since 1970)   40 duration (ns)
 *     48 start (ticks)   56 ticks per second   64 state, 0 when finished   67 flags: 1 for compressed integers
 */
export interface JfrChunk {
  start: number
  /** After the last event that is whole. */
  end: number
  /** Where another chunk may begin. */
  next: number
  /** Nanoseconds since 1970. */
  startNanos: bigint
  durationNanos: number
  startTicks: number
  ticksPerNano: number
  /** undefined when it was not written yet. */
  metadataPosition: number | undefined
  /** Positions of the events that hold constants. */
  checkpoints: number[]
  /** The file, or who wrote it, ended before the chunk did. */
  isCut: boolean
}

/** Whether a chunk begins there. */
export function isChunkAt(bytes: Uint8Array, position: number): boolean {
  const { buffer, byteOffset, byteLength } = bytes
  return position + 4 <= byteLength && new DataView(buffer, byteOffset).getUint32(position) === magic
}

/** The chunks of a recording. FormatError where one should begin and does not, or is damaged. */
export function readChunks(bytes: Uint8Array): JfrChunk[] {
  const chunks: JfrChunk[] = []
  for (let position = 0; position < bytes.length; position = chunks.at(-1)!.next) {
    const chunk = readChunk(bytes, position)
    if (chunk === undefined) break
    if (chunks.length === maxChunks)
      throw new FormatError(`the recording has more than ${maxChunks} parts`, { format: 'jfr' })
    chunks.push(chunk)
  }
  return chunks
}

/** undefined when even the header is cut off. */
function readChunk(bytes: Uint8Array, start: number): JfrChunk | undefined {
  const cursor = new JfrCursor(bytes, start)
  if (!isChunkAt(bytes, start)) cursor.fail('a part of a recording should begin here')
  if (start + headerBytes > bytes.length) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, headerBytes)
  const version = `${view.getUint16(4)}.${view.getUint16(6)}`
  if (!/^[12]\./.test(version))
    cursor.fail(`version ${version} of the format is not read, only 1 and 2 of JDK 8u262 and later are`)
  if ((view.getUint8(67) & 1) === 0) cursor.fail('integers are not compressed, which is not read')
  const ticksPerSecond = Number(view.getBigInt64(56))
  if (ticksPerSecond <= 0) cursor.fail(`the clock makes ${ticksPerSecond} ticks per second`)
  const end = start + Number(view.getBigInt64(8))
  const chunk: JfrChunk = {
    start,
    end,
    next: end,
    startNanos: view.getBigInt64(32),
    durationNanos: Number(view.getBigInt64(40)),
    startTicks: Number(view.getBigInt64(48)),
    ticksPerNano: ticksPerSecond / 1e9,
    metadataPosition: undefined,
    checkpoints: [],
    isCut: false,
  }
  const isSized = end >= start + headerBytes && end <= bytes.length
  const isFinished = isSized && view.getUint8(64) === 0
  if (isFinished) {
    chunk.metadataPosition = start + Number(view.getBigInt64(24))
    chunk.checkpoints = followCheckpoints(bytes, chunk, start + Number(view.getBigInt64(16)))
  } else searchCut(bytes, chunk, isSized ? end : bytes.length)
  return chunk
}

/** Each event with constants says how far away the one before it is; the first says 0. */
function followCheckpoints(bytes: Uint8Array, { start, end }: JfrChunk, last: number): number[] {
  const positions: number[] = []
  const seen = new Set<number>()
  let size = 0
  for (let position = last; ;) {
    const cursor = new JfrCursor(bytes, position, end)
    if (position < start + headerBytes || position >= end)
      cursor.fail(`constants should be at byte ${position}, which is not within their part`, start)
    if (seen.has(position)) cursor.fail('constants are chained in a circle')
    seen.add(position)
    positions.push(position)
    size += cursor.readLong()
    if (size > end - start) cursor.fail('constants overlap', position)
    if (cursor.readLong() !== checkpointType) cursor.fail('constants should be here', position)
    cursor.skipIntegers(2)
    const delta = cursor.readLong()
    if (delta === 0) return positions
    position += delta
  }
}

/** Looks through the events of a chunk whose header was never finished, up to where they end, or are sure to be whole. */
function searchCut(bytes: Uint8Array, chunk: JfrChunk, end: number): void {
  chunk.isCut = true
  chunk.end = end
  const events = new JfrEvents(bytes, chunk)
  while (!isChunkAt(bytes, events.end) && events.tryNext()) {
    if (events.type === metadataType) chunk.metadataPosition = events.start
    else if (events.type === checkpointType) chunk.checkpoints.unshift(events.start)
  }
  chunk.end = events.end
  chunk.next = isChunkAt(bytes, events.end) ? events.end : bytes.length
}

/** Steps from event to event of a chunk. */
export class JfrEvents {
  /** Stands behind the type of the event, and ends with it. */
  readonly cursor: JfrCursor
  start = 0
  end: number
  type = -1
  private readonly chunkEnd: number

  constructor(bytes: Uint8Array, chunk: JfrChunk) {
    this.end = chunk.start + headerBytes
    this.chunkEnd = chunk.end
    this.cursor = new JfrCursor(bytes, this.end, chunk.end)
  }

  /** Goes to the next event; false after the last. FormatError when there is none, but should be. */
  next(): boolean {
    if (this.end >= this.chunkEnd) return false
    if (!this.tryNext()) this.cursor.fail('an event of impossible size', this.start)
    return true
  }

  /** As `next`, but false where there is no whole event. */
  tryNext(): boolean {
    const { cursor, chunkEnd } = this
    this.start = this.end
    cursor.position = this.start
    // Whether size and type are within the chunk is seen afterwards.
    cursor.end = maxPosition
    const size = cursor.readLong()
    this.type = cursor.readLong()
    if (size <= 0 || size > chunkEnd - this.start || cursor.position > this.start + size) return false
    this.end = this.start + size
    cursor.end = this.end
    return true
  }
}
