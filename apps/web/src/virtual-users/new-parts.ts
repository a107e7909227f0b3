import { newId } from '@flamegate/contract'
import { actionKinds } from './action-fields.ts'
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

/** A new action of a kind; requests go to the server that is given. */
export function newAction(kind: string, serverId: string): JsonObject {
  const [type = kind] = kind.split(':')
  const start = actionKinds[kind]?.start ?? {}
  return {
    id: newId('action'),
    type,
    ...start,
    ...('server_id' in start ? { server_id: serverId } : {}),
  }
}
