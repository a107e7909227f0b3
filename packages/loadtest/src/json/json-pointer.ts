/** Names in a JSON pointer as it is written (https://www.rfc-editor.org/rfc/rfc6901); undefined when it is none. */
export function pointerNames(pointer: string): string[] | undefined {
  if (pointer === '') return []
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined
  return pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Writes names as a JSON pointer. */
export function pointerOf(names: readonly PropertyKey[]): string {
  return names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Names that mean something else to JavaScript than a field of a document. */
const unsafeNames = new Set(['__proto__', 'constructor', 'prototype'])

/** Where a pointer leads: what is there, in what, and under which name. */
export interface Place {
  parent: unknown[] | Record<string, unknown>
  name: string
  /** Undefined: nothing is there, but something could be put there. */
  value: unknown
}

/**
 * Follows names from a value, the last of which may be missing. Undefined when they lead nowhere; an element of a list is
 * meant by its number, or the end of it by `-`.
 */
export function follow(from: unknown, names: readonly string[]): Place | undefined {
  let place: Place | undefined
  let value = from
  for (const name of names) {
    if (typeof value !== 'object' || value === null || unsafeNames.has(name)) return undefined
    if (Array.isArray(value)) {
      const parent: unknown[] = value
      if (name !== '-' && !(/^(?:0|[1-9]\d{0,9})$/.test(name) && Number(name) <= parent.length))
        return undefined
      place = { parent, name, value: name === '-' ? undefined : parent[Number(name)] }
    } else {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- objects of JSON
      const parent = value as Record<string, unknown>
      place = { parent, name, value: Object.hasOwn(parent, name) ? parent[name] : undefined }
    }
    value = place.value
  }
  return place
}

/** What a pointer names in a value; undefined when there is nothing. */
export function valueAt(value: unknown, pointer: string): unknown {
  const names = pointerNames(pointer)
  if (names === undefined) return undefined
  return names.length === 0 ? value : follow(value, names)?.value
}
