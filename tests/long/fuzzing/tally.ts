import { readFileSync, writeSync } from 'node:fs'

const fields = [
  'next',
  'read',
  'refused',
  'slowestMs',
  'slowestNumber',
  'largestBytes',
  'peakBytes',
  'peakNumber',
] as const

/**
 * How far a reader has come, and what it has seen. `next` is the number of the input that it is at, `largestBytes` the
 * length of its longest input, `peakBytes` the most memory that its process has had, since input `peakNumber`.
 */
export type Tally = Record<(typeof fields)[number], number>

export function newTally(first: number): Tally {
  return {
    next: first,
    read: 0,
    refused: 0,
    slowestMs: 0,
    slowestNumber: first,
    largestBytes: 0,
    peakBytes: 0,
    peakNumber: first,
  }
}

/** Into an open file, at once, so that it is there when the process hangs or is gone with the next input. */
export function writeTally(file: number, tally: Tally): void {
  const numbers = Float64Array.from(fields, (field) => tally[field])
  writeSync(file, new Uint8Array(numbers.buffer), 0, numbers.byteLength, 0)
}

/** Undefined before anything was written. */
export function readTally(path: string): Tally | undefined {
  const bytes = new Uint8Array(readFileSync(path))
  if (bytes.length !== fields.length * 8) return undefined
  const numbers = new Float64Array(bytes.buffer)
  const tally = newTally(0)
  for (const [index, field] of fields.entries()) tally[field] = numbers[index] ?? 0
  return tally
}
