import type { Originals } from './originals.ts'
import type { Random } from './random.ts'

/** One input of an importer. */
export interface Input {
  bytes: Uint8Array
  /** How it is read, as a reader of a finding has to know it: `format not told`; or empty. */
  how: string
}

export interface Outcome {
  /** Whether something was read; otherwise it was refused, or has a problem. */
  isRead: boolean
  /** Why it was refused, without what belongs to this file only. */
  refusal?: string
  /** What is wrong with that, if anything. */
  problem?: string
}

/** Importers of one kind, by the names of their formats: what their inputs are made of, and what has to come of them. */
export interface Subject<Each extends Input = Input> {
  formats: readonly string[]
  /** Where its `reader.ts` and `read-one.ts` are. */
  folder: string
  /** The same each time. */
  originals: () => Originals
  /** The same for the same random numbers and originals. */
  makeInput: (originals: Originals, format: string, random: Random) => Each
  outcomeOf: (input: Each, format: string) => Outcome | Promise<Outcome>
  /** Most memory of a process that reads, of one that took so much before it read anything. */
  processBytesMax: (bytesAtStart: number) => number
}
