import { operations } from '@flamegate/contract'
import { parseDocument } from '@flamegate/loadtest'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { reachableHosts } from '../targets/reachable-hosts.ts'
import { httpServerOnWire } from './on-wire.ts'
import { pageOfDocuments } from './page-of-documents.ts'
import { usersOfIds } from './usage.ts'

export const listHttpServers = implement(operations.listHttpServers)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const { rows, nextCursor } = await pageOfDocuments(context, 'http_server', project.id, input)
  const isVerified = await reachableHosts(context, project.id)
  const usage = await usersOfIds(
    context,
    project.id,
    rows.map(({ id }) => id),
  )
  return {
    project_id: project.id,
    http_servers: rows.map((object) =>
      httpServerOnWire(object, parseDocument('http_server', object.document), {
        isVerified,
        users: usage.get(object.id),
      }),
    ),
    next_cursor: nextCursor,
  }
})
