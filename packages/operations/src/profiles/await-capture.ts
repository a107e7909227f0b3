import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
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
    const leftMs = deadline - Date.now()
    if (order !== undefined || leftMs <= 0) {
      // Some six a minute for each collector, all night.
      if (order === undefined) context.isUneventful()
      return {
        project_id: collector.projectId,
        capture:
          order === undefined
            ? null
            : { task_id: order.taskId, name: order.name, type: order.type, seconds: order.seconds },
      }
    }
    // oxlint-disable-next-line no-await-in-loop -- it ends when nobody waits any more, because a store does not begin then
    await new Promise((resolve) => setTimeout(resolve, Math.min(everyMs, leftMs)))
  }
})
