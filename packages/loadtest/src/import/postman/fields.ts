import type { Field } from '../../model/template.ts'
import { asObject, asText, type JsonObject } from '../../json/json-values.ts'
import type { Surroundings } from './surroundings.ts'

/** Headers, and fields of a form. */
export function readFields(
  entries: readonly unknown[],
  kind: string,
  path: string,
  around: Surroundings,
): Field[] {
  const { variables, scope } = around
  return readEntries(entries, kind, path, around).map((entry) => ({
    name: variables.template(asText(entry['key']), scope),
    value: variables.template(asText(entry['value']), scope),
  }))
}

/** Entries with `key` and `value`, as they are written. Disabled ones are told of and left out. */
export function readEntries(
  entries: readonly unknown[],
  kind: string,
  path: string,
  around: Surroundings,
): JsonObject[] {
  const { draft, inner } = around
  const kept: JsonObject[] = []
  for (const [index, value] of entries.entries()) {
    const entry = asObject(value)
    const name = asText(entry['key'])
    const element = { place: `${around.place}.${path}[${index}]`, kind, name }
    if (entry['disabled'] === true) draft.dropped(element, 'It is disabled.')
    else if (name === '' && asText(entry['value']) === '') draft.dropped(element, 'It is empty.')
    else {
      kept.push(entry)
      inner.add(element)
    }
  }
  return kept
}

/** Lines such as `Content-Type: text/plain`, as old collections write headers. */
export function readHeaderLines(text: string, around: Surroundings): Field[] {
  const entries = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const colon = line.indexOf(':')
      return colon === -1
        ? { key: line.trim(), value: '' }
        : { key: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }
    })
  return readFields(entries, 'header', 'request.header', around)
}
