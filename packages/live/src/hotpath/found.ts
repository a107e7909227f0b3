import { fingerprint } from '../fingerprint.ts'
import { liveLimits, type LiveSection } from '../limits.ts'
import { plainText } from '../plain-text.ts'
import type { LiveDistribution, LiveItem } from '../push.ts'
import { fieldsOf, listOf, numberOf, textOf, type Fields } from './fields.ts'

/** An item of an answer, and where the server has its log. */
export interface Found {
  section: LiveSection
  item: LiveItem
  log?: {
    path: string
    /** Another number than before: there are new entries. */
    moved: number
  }
}

/** Texts as they may be pushed. */
export function wordOf(fields: Fields, ...names: readonly string[]): string | undefined {
  const text = textOf(fields, ...names)
  return text === undefined ? undefined : plainText(text, liveLimits.nameMax)
}

/** Of a name, where there is no number: the same for as long as the program runs. */
export function idOf(fields: Fields, name: string): string {
  const id = textOf(fields, 'id') ?? name
  return id.length <= 200 ? id : fingerprint(id)
}

/** What people call it. What was made several times at one place is told apart as hotpath does. */
export function labelOf(fields: Fields): string {
  const label = wordOf(fields, 'label', 'source', 'id') ?? '?'
  const iteration = numberOf(fields, 'iter') ?? 0
  return iteration > 0 ? `${label.slice(0, liveLimits.nameMax - 12)}-${iteration + 1}` : label
}

export function placeOf(fields: Fields): LiveItem['place'] {
  const { file, line, column } = fieldsOf(fields, 'location')
  if (typeof file === 'string') return { file: file.slice(0, 1000), line: whole(line), column: whole(column) }
  const [, path, number] = /^(.+?\.\w+):(\d+)/.exec(textOf(fields, 'source') ?? '') ?? []
  return path === undefined ? undefined : { file: path.slice(0, 1000), line: Number(number) }
}

function whole(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined
}

/** Without what is not known. */
export function known(
  values: Readonly<Record<string, number | undefined>>,
): Record<string, number> | undefined {
  const entries = Object.entries(values).filter(
    (entry): entry is [string, number] => entry[1] !== undefined && Number.isFinite(entry[1]),
  )
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** Counts and sums of values as the program has them; a sum that it does not tell is that of so many averages. */
export function distributionOf(told: {
  count: number | undefined
  sampled?: number | undefined
  total?: number | undefined
  average?: number | undefined
  percentiles?: Record<string, number> | undefined
}): LiveDistribution | undefined {
  const { count, sampled, average, percentiles } = told
  const total = told.total ?? (average === undefined ? undefined : average * (count ?? 0))
  if (count === undefined || count < 0 || total === undefined) return undefined
  return {
    count,
    ...(sampled === undefined || sampled >= count ? {} : { sampled }),
    total,
    ...(percentiles === undefined ? {} : { percentiles }),
  }
}

/** `{"p95": "6.20 ms"}`, among other fields or alone, as `{"95": 6200000}`. */
export function percentilesOf(
  fields: Fields,
  read: (fields: Fields, name: string) => number | undefined,
): Record<string, number> | undefined {
  const names = Object.keys(fields).filter((name) => /^p\d{1,3}(?:[._]\d{1,3})?$/.test(name))
  return known(
    Object.fromEntries(
      names.map((name) => [String(Number(name.slice(1).replace('_', '.'))), read(fields, name)]),
    ),
  )
}

export function distributions(
  each: Readonly<Record<string, LiveDistribution | undefined>>,
): Record<string, LiveDistribution> | undefined {
  const entries = Object.entries(each).filter(
    (entry): entry is [string, LiveDistribution] => entry[1] !== undefined,
  )
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** What an answer lists, under the names that generations have for it. */
export function entriesOf(body: Fields, ...names: readonly string[]): Fields[] {
  return listOf(body, 'data', ...names, 'entries')
}
