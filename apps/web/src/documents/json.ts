/** A JSON object whose fields nobody has looked at yet. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects of a list; of anything else, none. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** A text, or what stands where one should be, as text; nothing is the empty text. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

/** The names that a JSON pointer (RFC 6901) leads through. */
export function namesOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The pointer from `pointer` one step further in. */
export function inside(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** What is at a pointer; undefined where nothing is. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document
  for (const name of namesOf(pointer)) value = partOf(value, name)
  return value
}

/** What a list or an object has under a name; undefined where it has nothing of its own there. */
export function partOf(whole: unknown, name: string): unknown {
  if (typeof whole !== 'object' || whole === null || !Object.hasOwn(whole, name)) return undefined
  return Reflect.get(whole, name)
}

export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSame(partOf(left, name), partOf(right, name)))
  )
}
