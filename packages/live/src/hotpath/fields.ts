import { parseBytes, parseDuration, parsePercent } from './quantities.ts'

/** An object of an answer. Nothing of it is believed before it was looked at: generations differ, and so may the next one. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects of the first list that there is under these names. */
export function listOf(fields: Fields, ...names: readonly string[]): Fields[] {
  const name = names.find((each) => Array.isArray(fields[each]))
  const list = name === undefined ? [] : fields[name]
  return Array.isArray(list) ? list.filter(isFields) : []
}

export function fieldsOf(fields: Fields, name: string): Fields {
  const value = fields[name]
  return isFields(value) ? value : {}
}

/** Texts, and what is written as a text elsewhere: ids, numbers. */
export function textOf(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string' && value !== '') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  }
  return undefined
}

/** A number, or what a text begins with: `90/100` of a queue. */
export function numberOf(fields: Fields, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'number' && Number.isFinite(value)) return value
    if (typeof value === 'string' && /^-?\d/.test(value)) return Number.parseFloat(value)
  }
  return undefined
}

export const nsOf = (fields: Fields, ...names: readonly string[]) => quantity(fields, names, parseDuration)
export const bytesOf = (fields: Fields, ...names: readonly string[]) => quantity(fields, names, parseBytes)
export const percentOf = (fields: Fields, ...names: readonly string[]) =>
  quantity(fields, names, parsePercent)

/** As a raw number where there is one, else as the text says. */
function quantity(
  fields: Fields,
  names: readonly string[],
  parse: (text: string) => number | undefined,
): number | undefined {
  for (const name of names) {
    for (const value of [fields[`${name}_ns`], fields[`${name}_raw`], fields[name]]) {
      if (typeof value === 'number' && Number.isFinite(value)) return value
      const parsed = typeof value === 'string' ? parse(value) : undefined
      if (parsed !== undefined) return parsed
    }
  }
  return undefined
}
