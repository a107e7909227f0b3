import { operations } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import { lookUntil } from '../look-until.ts'
import type { Collector } from '../ports/index.ts'
import { getCollector } from './collectors.ts'

/** How soon a collector hears of what is asked. */
const everyMs = 1000

export const awaitCapture = implement(operations.awaitCapture)(async (input, context) => {
  const { caller, deps } = context
  const collector = await getCollector(context, input.collector_id)
  const look = async () => {
    const asked = await deps.stores.collectors.nextOrder(caller, collector.id)
    return {
      order: asked,
      session: asked === undefined ? await nextSession(context, collector) : undefined,
    }
  }
  const { order, session } = await lookUntil(
    await look(),
    look,
    (next) => next.order !== undefined || next.session !== undefined,
    { seconds: input.wait_seconds, everyMs },
  )
  // Some six a minute for each collector, all night.
  if (order === undefined && session === undefined) context.isUneventful()
  return {
    project_id: collector.projectId,
    capture:
      order === undefined
        ? null
        : { task_id: order.taskId, name: order.name, type: order.type, seconds: order.seconds },
    mcp_session:
      session === undefined
        ? null
        : {
            mcp_session_id: session.id,
            task_id: session.taskId,
            server: session.server,
            measurement: session.measurement,
          },
  }
})

/** Collectors of before know of no sessions: none is asked of those that may measure nothing. */
function nextSession({ caller, deps }: CallContext, { id, mcpServers }: Collector) {
  return mcpServers.length === 0 ? undefined : deps.stores.mcp.nextOrder(caller, id)
}
