import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { mcpSessionOnWire } from './on-wire.ts'

export const listMcpSessions = implement(operations.listMcpSessions)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const filter = input.mcp_target_id === undefined ? {} : { mcpTargetId: input.mcp_target_id }
  const filters = { project: project.id, ...filter }
  const { rows, nextCursor } = await pageOf('mcp_sessions', input, filters, (page) =>
    context.deps.stores.mcp.listSessions(context.caller, project.id, page, filter),
  )
  return { project_id: project.id, mcp_sessions: rows.map(mcpSessionOnWire), next_cursor: nextCursor }
})
