import { type Field, literal } from '../../model/template.ts'
import { asText, isObject, type JsonObject } from '../../json/json-values.ts'

/** A value of a query parameter as it is sent (https://spec.openapis.org/oas/v3.1.0#style-values). */
export function queryFields(name: string, value: unknown, parameter: JsonObject): Field[] {
  const style = parameter['style'] ?? 'form'
  const explodes = parameter['explode'] ?? style === 'form'
  const field = (key: string, each: unknown): Field => ({ name: literal(key), value: literal(written(each)) })
  if (Array.isArray(value)) {
    if (explodes) return value.map((each) => field(name, each))
    const separator = style === 'spaceDelimited' ? ' ' : style === 'pipeDelimited' ? '|' : ','
    return [field(name, value.map(written).join(separator))]
  }
  if (!isObject(value)) return [field(name, value)]
  const entries = Object.entries(value)
  if (style === 'deepObject') return entries.map(([key, each]) => field(`${name}[${key}]`, each))
  return explodes
    ? entries.map(([key, each]) => field(key, each))
    : [field(name, entries.flat().map(written).join(','))]
}

/** A value of a path or header parameter: lists and objects with commas. */
export function simpleText(value: unknown): string {
  if (Array.isArray(value)) return value.map(written).join(',')
  return isObject(value) ? Object.entries(value).flat().map(written).join(',') : written(value)
}

/** What is inside of what is in a list has no way to be written but JSON. */
function written(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : asText(value)
}
