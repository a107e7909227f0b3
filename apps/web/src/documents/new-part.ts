import { newId } from '@flamegate/contract'
import type { Shape } from './field.ts'
import type { JsonObject } from './json.ts'

/** A new object of a shape, with an id where it has one. */
export function newPart({ by, variants }: Shape, kind: string): JsonObject {
  const start = variants[kind]?.start ?? {}
  return {
    ...(by === null ? {} : { [by]: kind }),
    ...start,
    ...('id' in start ? { id: newId('action') } : {}),
  }
}
