import { limits } from '../limits.ts'
import { type ProtobufCursor, wireBytes, wireFixed64, wireVarint } from './protobuf.ts'

export const varintField = (field: number) => field * 8 + wireVarint
export const bytesField = (field: number) => field * 8 + wireBytes
export const fixedField = (field: number) => field * 8 + wireFixed64

/** Reads a message at the cursor, its length first; `onField` reads, or skips, the field of each tag. */
export function readMessage(cursor: ProtobufCursor, onField: (tag: number) => void): void {
  const end = cursor.readLength()
  const outerEnd = cursor.end
  cursor.end = end
  while (cursor.position < end) onField(cursor.readTag())
  cursor.end = outerEnd
}

/** Reads a repeated number, packed or one of it, as the tag says. */
export function readRepeated(cursor: ProtobufCursor, tag: number, readOne: () => void): void {
  if ((tag & 7) === wireBytes) {
    const end = cursor.readLength()
    const outerEnd = cursor.end
    cursor.end = end
    while (cursor.position < end) readOne()
    cursor.end = outerEnd
  } else readOne()
}

/** Past a message at the cursor: where it is, without its length. */
export function skipMessage(cursor: ProtobufCursor): { start: number; end: number } {
  const end = cursor.readLength()
  const start = cursor.position
  cursor.position = end
  return { start, end }
}

/** The index of an entry of a table of the dictionary, which may not be there. */
export function readIndex(cursor: ProtobufCursor): number {
  const start = cursor.position
  const index = cursor.readUint()
  if (index > limits.tableEntries) cursor.fail('an index points to what cannot be there', start)
  return index
}
