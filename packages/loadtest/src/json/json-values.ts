// What was parsed and not yet checked: each of these gives something empty for what is not as it should be.

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Numbers and booleans as they are written; '' for what is no scalar. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
