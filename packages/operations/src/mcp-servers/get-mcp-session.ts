import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { mcpSessionOnWire } from './on-wire.ts'
import { getMcpSession as reachMcpSession } from './reaching.ts'

export const getMcpSession = implement(operations.getMcpSession)(async (input, context) => {
  const session = await reachMcpSession(context, input.mcp_session_id)
  const left = await context.deps.stores.mcp.report(context.caller, session.id)
  return {
    mcp_session: mcpSessionOnWire(session),
    report: left?.report ?? null,
    result: left?.result ?? null,
  }
})
