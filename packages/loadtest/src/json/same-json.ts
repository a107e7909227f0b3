/** Whether two values are the same as JSON: the order of fields does not count, that of elements does. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((element, index) => isSameJson(element, b[index]))
  }
  const fields = Object.entries(a)
  if (fields.length !== Object.keys(b).length) return false
  return fields.every(([name, value]) => Object.hasOwn(b, name) && isSameJson(value, Reflect.get(b, name)))
}
