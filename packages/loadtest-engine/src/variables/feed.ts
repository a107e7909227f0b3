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
  position: number
}
