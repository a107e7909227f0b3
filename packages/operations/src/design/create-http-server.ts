import { newId, operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { reachableHosts } from '../targets/reachable-hosts.ts'
import { httpServerOnWire } from './on-wire.ts'
import { dotted, parseDesign } from './parse-design.ts'

export const createHttpServer = implement(operations.createHttpServer)(async (input, context) => {
  const { caller, deps } = context
  const { project_id: projectId, ...fields } = input
  const project = await getProject(context, projectId)
  const document = parseDesign(context, 'http_server', fields, dotted)
  const object = await deps.stores.designs.create(
    caller,
    { workspaceId: project.workspaceId, projectId: project.id },
    {
      id: newId('httpServer'),
      kind: 'http_server',
      name: document.name,
      document,
      summary: { base_url: document.base_url },
    },
    { words: 'Created' },
  )
  context.concerns(object.workspaceId, object.id)
  const isVerified = await reachableHosts(context, project.id)
  return { project_id: project.id, http_server: httpServerOnWire(object, document, { isVerified }) }
})
