import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getMcpSession } from './reaching.ts'

export const deleteMcpSession = implement(operations.deleteMcpSession)(async (input, context) => {
  const session = await getMcpSession(context, input.mcp_session_id)
  if (session.status === 'RUNNING') {
    throw new Problem('not_ready', 'It is being measured. Cancel its task first.', {
      hint: [operations.cancelTask, 'does that'],
    })
  }
  const { caller, deps } = context
  await deps.stores.mcp.removeSession(caller, session.id)
  if (session.taskId !== null) await deps.stores.tasks.remove(caller, session.taskId)
  return {
    mcp_session_id: session.id,
    mcp_target_id: session.mcpTargetId,
    project_id: session.projectId,
    deleted: true as const,
  }
})
