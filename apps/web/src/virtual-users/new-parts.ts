import { newId } from '@flamegate/contract'
import { actionKinds } from './action-fields.ts'
import type { JsonObject } from '../documents/json.ts'

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
