/** A JSON Schema, 2020-12 or draft 7: what it says, or that everything or nothing is allowed. */
export type SchemaNode = boolean | { readonly [keyword: string]: unknown }

/** Why no value could be made, for people. */
export class ImpossibleError extends Error {
  override name = 'ImpossibleError'
}

export function isSchema(value: unknown): value is SchemaNode {
  return typeof value === 'boolean' || isRecord(value)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The schemas of a list such as `anyOf`; none where it is none. */
export function schemaList(value: unknown): SchemaNode[] {
  return Array.isArray(value) ? value.filter(isSchema) : []
}

/** The schemas of a map such as `properties`; none where it is none. */
export function schemaMap(value: unknown): [string, SchemaNode][] {
  return isRecord(value)
    ? Object.entries(value).filter((entry): entry is [string, SchemaNode] => isSchema(entry[1]))
    : []
}

/** What a `$ref` inside of the same document names. @throws ImpossibleError where it is elsewhere, or nowhere */
export function resolveReference(root: SchemaNode, reference: string): SchemaNode {
  if (reference !== '#' && !reference.startsWith('#/'))
    throw new ImpossibleError(`it refers to ${reference}, which is not in the schema`)
  let found: unknown = root
  for (const part of reference.split('/').slice(1)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, key)
        ? Reflect.get(found, key)
        : undefined
  }
  if (!isSchema(found)) throw new ImpossibleError(`it refers to ${reference}, which is not there`)
  return found
}

/** A pattern of a schema. Some mean what they say only without `u`, such as `\-` for a dash. @throws SyntaxError */
export function patternOf(text: string): RegExp {
  try {
    return new RegExp(text, 'u')
  } catch {
    return new RegExp(text)
  }
}

/** Whether two JSON values are the same, whatever the order of their keys. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => isSameJson(item, b[at]))
  if (!isRecord(a) || !isRecord(b)) return a === b
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key]))
  )
}
