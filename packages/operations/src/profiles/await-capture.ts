import { operations } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import type { Collector } from '../ports/index.ts'
import { getCollector } from './collectors.ts'

/** How soon a collector hears of what is asked. */
const everyMs = 1000

export const awaitCapture = implement(operations.awaitCapture)(async (input, context) => {
  const { caller, deps } = context
  const collector = await getCollector(context, input.collector_id)
  const deadline = Date.now() + input.wait_seconds * 1000
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    const order = await deps.stores.collectors.nextOrder(caller, collector.id)
    // oxlint-disable-next-line no-await-in-loop -- the same
    const session = order === undefined ? await nextSession(context, collector) : undefined
    const leftMs = deadline - Date.now()
    if (order !== undefined || session !== undefined || leftMs <= 0) {
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
    }
    // oxlint-disable-next-line no-await-in-loop -- it ends when nobody waits any more, because a store does not begin then
    await new Promise((resolve) => setTimeout(resolve, Math.min(everyMs, leftMs)))
  }
})

/** Collectors of before know of no sessions: none is asked of those that may measure nothing. */
function nextSession({ caller, deps }: CallContext, { id, mcpServers }: Collector) {
  return mcpServers.length === 0 ? undefined : deps.stores.mcp.nextOrder(caller, id)
}
