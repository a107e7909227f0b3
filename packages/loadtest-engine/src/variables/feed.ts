import type { CompiledTemplate, Value } from '../program/compiled-template.ts'
import type { Random } from '../random.ts'

/** What a variable may ask for when it makes its next value. */
export interface FeedContext {
  random: Random
  /** Milliseconds since 1970. */
  now: () => number
  expand: (template: CompiledTemplate) => string
}

/** Where the values of a variable come from, or those of all columns of a file. */
export interface Feed {
  renewed: 'each_use' | 'each_iteration' | 'once'
  /** Names and values; undefined when there are no more, and the user has to end. */
  next: (context: FeedContext) => ReadonlyMap<string, Value> | undefined
}

/** How far users got in a list of values; shared between those that share it. */
export interface Cursor {
  /** The next place, from 0. */
  next: () => number
}

/** How far all threads got together, for each variable of a profile. */
export type SharedPlaces = BigInt64Array<SharedArrayBuffer>

/** One for each variable, all at their beginning. */
export function sharedPlaces(variables: number): SharedPlaces {
  return new BigInt64Array(new SharedArrayBuffer(variables * BigInt64Array.BYTES_PER_ELEMENT))
}

/** Of one user alone. */
export function ownCursor(): Cursor {
  let place = 0
  return { next: () => place++ }
}

/** Of all users of all threads: no place is given twice. */
export function sharedCursor(places: SharedPlaces, variable: number): Cursor {
  return { next: () => Number(Atomics.add(places, variable, 1n)) }
}
