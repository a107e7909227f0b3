import { DecodeError, decodeMulti } from '@msgpack/msgpack'
import { FormatError } from '../format-error.ts'
import { JsonValue } from '../json-value.ts'
import type { WarningList } from '../warning-list.ts'
import { decompressZstd, isZstd } from '../zstd.ts'

/** What the program asked of its allocator, or of the system (`Mmap`, `Munmap`, `Brk`). */
export interface MemoryEvent {
  pid: number
  /** Of the monotonic clock, in ns. */
  timestamp: number
  type: string
  address: number
  /** Bytes; absent when memory is given back. */
  size: number | undefined
  /** Where the block was before `Realloc`; old versions do not tell. */
  oldAddress: number | undefined
}

const UNPACKED_BYTES_MAX = 256 * 1024 * 1024
const EVENTS_MAX = 4_000_000
/** An event is a flat map of seven members; anything larger is none, and need not be built. */
const LIMITS = { maxMapLength: 16, maxStrLength: 64, maxArrayLength: 0, maxBinLength: 0, maxExtLength: 0 }

/** A file `<pid>.MemtrackArtifact.msgpack`, compressed as it was written or not. */
export function isMemoryEvents(bytes: Uint8Array): boolean {
  try {
    for (const first of decodeMulti(contentOf(bytes).content, LIMITS)) {
      const event = new JsonValue(first)
      return ['pid', 'tid', 'timestamp', 'addr', 'type'].every((key) => !event.get(key).isMissing)
    }
  } catch (error) {
    if (!isDecodingError(error)) throw error
  }
  return false
}

/**
 * Reads msgpack maps that follow each other, in zstd frames that follow each other. The program may have been ended while
 * they were written, so a file that ends within an event is one up to there.
 * @see https://github.com/CodSpeedHQ/codspeed/tree/main/crates/runner-shared/src/artifacts/memtrack
 */
export function readMemoryEvents(bytes: Uint8Array, place: string, warnings: WarningList): MemoryEvent[] {
  const { content, isWhole } = contentOf(bytes)
  const events: MemoryEvent[] = []
  let isCut = !isWhole
  try {
    for (const value of decodeMulti(content, LIMITS)) {
      if (events.length >= EVENTS_MAX) throw new FormatError(`More than ${EVENTS_MAX} events`, place)
      events.push(readEvent(value, `${place}, event ${events.length + 1}`))
    }
  } catch (error) {
    if (!isDecodingError(error)) throw error
    if (events.length === 0) throw new FormatError("There is no event of CodSpeed's memory instrument", place)
    isCut = true
  }
  if (isCut) warnings.add(place, `it is cut after event ${events.length}; what is before is read.`)
  return events
}

function contentOf(bytes: Uint8Array): { content: Uint8Array; isWhole: boolean } {
  if (!isZstd(bytes)) return { content: bytes, isWhole: true }
  try {
    return decompressZstd(bytes, UNPACKED_BYTES_MAX)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new FormatError(`The file has more than ${UNPACKED_BYTES_MAX} bytes when decompressed`)
  }
}

/** `RangeError` is how the decoder says that bytes are missing. */
function isDecodingError(error: unknown): boolean {
  return error instanceof RangeError || error instanceof DecodeError
}

/** Not by way of `JsonValue`, which would make a million paths that nobody reads. */
function readEvent(value: unknown, place: string): MemoryEvent {
  const event: object = typeof value === 'object' && value !== null ? value : {}
  const amount = (key: string): number => {
    const own = optionalAmount(key)
    if (own === undefined) throw new FormatError('Expected a number', `${place}.${key}`)
    return own
  }
  const optionalAmount = (key: string): number | undefined => {
    const own: unknown = Reflect.get(event, key)
    if (own === undefined || own === null) return undefined
    if (typeof own === 'number' && own >= 0) return own
    throw new FormatError('Expected a number that is not negative', `${place}.${key}`)
  }
  const type: unknown = Reflect.get(event, 'type')
  if (typeof type !== 'string') throw new FormatError('Expected a text', `${place}.type`)
  return {
    pid: amount('pid'),
    timestamp: amount('timestamp'),
    type,
    address: amount('addr'),
    size: optionalAmount('size'),
    oldAddress: optionalAmount('old_addr'),
  }
}
