/**
 * Text as Postgres can hold it: without U+0000, and without halves of surrogate pairs. Both come from files and
 * programs that we read, never from people, so a replacement character loses nothing that anybody could read.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** JSON of the value, with the same done to everything in it, names of fields included. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value)
  // In JSON they are escapes, so nearly every text shows at once that it has none.
  if (!/\\u(?:0000|d[89a-f])/.test(text)) return text
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'string') return storableText(part)
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).map(([name, field]) => [storableText(name), field]))
  })
}
