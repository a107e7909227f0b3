import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getDesign } from './reaching.ts'
import { requireUnused, usersOfIds } from './usage.ts'

export const deleteHttpServer = implement(operations.deleteHttpServer)(async (input, context) => {
  const object = await getDesign(context, 'http_server', input.http_server_id)
  const usage = await usersOfIds(context, object.projectId, [object.id])
  requireUnused(object.name, usage.get(object.id))
  await context.deps.stores.designs.remove(context.caller, object.id)
  return { http_server_id: object.id, project_id: object.projectId, deleted: true as const }
})
