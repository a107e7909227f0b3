import type { AssertionDraft } from '../../import-draft.ts'

/** What an expression of a script stands for, as far as that can be said without running it. */
export type Value =
  /** null, numbers and so on as they are; texts are plain, without templates. */
  | { kind: 'literal'; value: string | number | boolean | null }
  | { kind: 'list'; values: (string | number | boolean | null)[] }
  | { kind: 'pattern'; source: string; flags: string }
  /** A text with `${name}` in it. */
  | { kind: 'template'; text: string }
  | { kind: 'body' }
  /** A value in a JSON body; RFC 9535. */
  | { kind: 'json'; path: string }
  | { kind: 'length'; path: string }
  | { kind: 'status' }
  | { kind: 'duration' }
  | { kind: 'size' }
  | { kind: 'header'; name: string }
  | { kind: 'cookie'; name: string }
  /** What a regular expression found in the body, and one of its groups. */
  | { kind: 'match'; source: string; flags: string }
  | { kind: 'group'; source: string; flags: string; group: number }
  /** All of its checks hold, or not; with a note where they say less than the script does. */
  | { kind: 'condition'; checks: AssertionDraft[]; isNegated: boolean; note?: string }

/** Longer ones are not followed: a text that is put behind itself doubles with every line. */
export const followedCharactersMax = 20_000

/** A member of a value in a JSON body, as RFC 9535 writes its path. */
export function memberPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  return /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${quoted(key)}]`
}

/** A text as it is written in JSONPath. */
export function quoted(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${escaped}'`
}
