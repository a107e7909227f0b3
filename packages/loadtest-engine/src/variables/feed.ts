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
  /** Whether the next one gets none; left out where there always are more. */
  isExhausted?: () => boolean
}

/** How far users got in a list of values; shared between those that share it. */
export interface Cursor {
  /** The next place, from 0. */
  next: () => number
  /** The place that `next` would give. */
  peek: () => number
}

/** Of the places of a variable an agent has the `index`-th, and every `agents`-th after it. */
export interface DealtShare {
  index: number
  agents: number
}

/** How far all threads of an agent got together, for each variable, in places that are dealt out to agents in turn. */
export interface SharedPlaces {
  /** Places that were given, of those of the agent. */
  given: BigInt64Array<SharedArrayBuffer>
  /** Of each variable; all places where there is none. */
  shares: readonly DealtShare[]
}

/** One for each variable, all at their beginning. */
export function sharedPlaces(variables: number, shares: readonly DealtShare[] = []): SharedPlaces {
  const bytes = variables * BigInt64Array.BYTES_PER_ELEMENT
  return { given: new BigInt64Array(new SharedArrayBuffer(bytes)), shares }
}

/** Of one user alone. */
export function ownCursor(): Cursor {
  let place = 0
  return { next: () => place++, peek: () => place }
}

/** Of all users of all threads of all agents: no place is given twice. */
export function sharedCursor({ given, shares }: SharedPlaces, variable: number): Cursor {
  const { index, agents } = shares[variable] ?? { index: 0, agents: 1 }
  const placeOf = (count: bigint) => index + agents * Number(count)
  return {
    next: () => placeOf(Atomics.add(given, variable, 1n)),
    peek: () => placeOf(Atomics.load(given, variable)),
  }
}
