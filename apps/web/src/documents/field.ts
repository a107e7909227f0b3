import type { Choice } from '../components/select.tsx'
import type { JsonObject } from './json.ts'

/** One field of a form, and how its value is written. */
export type Field = {
  /** Its name in the JSON. */
  name: string
  label: string
  hint?: string
  /** How much of a row it takes; all of it when nothing is said. */
  size?: 'half' | 'third'
} & (
  | {
      kind: 'text'
      /** Nothing written is null. */
      isNullable?: true
      /** More than one line; `code` in the font of code. */
      lines?: number
      isCode?: true
      placeholder?: string
    }
  | { kind: 'number'; isNullable?: true; placeholder?: string }
  /** Milliseconds, written as `1 min 30 s`. */
  | { kind: 'duration' }
  | { kind: 'flag' }
  | {
      kind: 'choice'
      choices: readonly Choice[]
      isNullable?: true
      /** The ids are numbers in the JSON. */
      isNumber?: true
    }
  /** Some of several, in the order of the choices. */
  | { kind: 'several'; choices: readonly Choice[]; isNumber?: true }
  /** One of the HTTP servers of the project. */
  | { kind: 'server' }
  /** Which of several: a number, random or all. */
  | { kind: 'match' }
  /** Texts, one on each line. */
  | { kind: 'texts' }
  | { kind: 'object'; shape: Shape | (() => Shape); isNullable?: true }
  | {
      kind: 'list'
      shape: Shape
      /** What one of them is called. */
      item: string
      /** Its fields in one row. */
      isCompact?: true
    }
)

/** What an object has; with `by`, that depends on what this field of it says. */
export interface Shape {
  by: string | null
  variants: Readonly<Record<string, Variant>>
}

export interface Variant {
  label: string
  fields: readonly Field[]
  /** What a new one is, without what tells its kind. Where it has an id, that is given to it. */
  start: JsonObject
}

/** A shape without kinds. */
export function plain(fields: readonly Field[], start: JsonObject): Shape {
  return { by: null, variants: { '': { label: '', fields, start } } }
}

/** The variant that an object is; undefined for a kind that is not known here. */
export function variantOf({ by, variants }: Shape, value: JsonObject): Variant | undefined {
  return variants[by === null ? '' : String(value[by])]
}

/** Words as choices: `less_or_equal` is “less or equal”. */
export function choicesOf(...ids: string[]): Choice[] {
  return ids.map((id) => ({ id, label: id.replaceAll('_', ' ') }))
}
