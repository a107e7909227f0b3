import { createHash } from 'node:crypto'

/** A number out of an id: the same wherever the same thing is done again. */
export function seedOf(id: string): number {
  return createHash('sha256').update(id).digest().readUInt32LE()
}
