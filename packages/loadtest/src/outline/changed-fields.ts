import { pointerOf } from '../json/json-pointer.ts'
import { isSameJson } from '../json/same-json.ts'

/** A value that changed, by its JSON pointer; as JSON, shortened, and null where there was or is none. */
export interface FieldChange {
  pointer: string
  before: string | null
  after: string | null
}

/** What a comparison tells of one value, at most. */
const valueCharactersMax = 200

/** Where two JSON values differ, in the depth where they do. */
export function changedFields(before: unknown, after: unknown, names: string[] = []): FieldChange[] {
  if (isSameJson(before, after)) return []
  if (isTree(before) && isTree(after) && Array.isArray(before) === Array.isArray(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      changedFields(Reflect.get(before, name), Reflect.get(after, name), [...names, name]),
    )
  }
  return [{ pointer: pointerOf(names), before: valueText(before), after: valueText(after) }]
}

function isTree(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function valueText(value: unknown): string | null {
  if (value === undefined) return null
  const text = JSON.stringify(value)
  return text.length > valueCharactersMax ? `${text.slice(0, valueCharactersMax)}…` : text
}
