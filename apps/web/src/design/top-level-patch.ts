import { inside, isSame, type JsonObject } from '../documents/json.ts'
import type { Operation } from '../documents/json-patch.ts'

/** The patch that makes one document of another, field by field. */
export function topLevelPatch(before: JsonObject, after: JsonObject): Operation[] {
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
  return [
    ...removed.map((name): Operation => ({ op: 'remove', path: inside('', name) })),
    ...Object.entries(after).flatMap(([name, value]): Operation[] => {
      if (!Object.hasOwn(before, name)) return [{ op: 'add', path: inside('', name), value }]
      return isSame(before[name], value) ? [] : [{ op: 'replace', path: inside('', name), value }]
    }),
  ]
}
