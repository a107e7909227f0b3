import { operations, type OutputOf } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import type { MonitorLease } from '../ports/index.ts'
import { getWorkspace } from '../targets.ts'

/** How soon an agent hears of what there is to do: before a run begins, of which the start is some seconds ahead. */
const everyMs = 1000

export const awaitMonitoring = implement(operations.awaitMonitoring)(async (input, context) => {
  const { caller, deps } = context
  const { id: workspaceId } = await getWorkspace(context, input.workspace_id)
  const agent = { workspaceId, name: input.agent, agentGroup: input.agent_group, version: input.version }
  await deps.stores.monitors.noteAgent(caller, agent)
  const deadline = Date.now() + input.wait_seconds * 1000
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    const leases = await deps.stores.monitors.lease(caller, agent)
    const leftMs = deadline - Date.now()
    if (leases.length > 0 || leftMs <= 0) {
      // Some six a minute for each agent, all night.
      if (leases.length === 0) context.isUneventful()
      return {
        workspace_id: workspaceId,
        now: new Date().toISOString(),
        // oxlint-disable-next-line no-await-in-loop -- the loop ends here
        leases: await Promise.all(leases.map((lease) => leaseOnWire(lease, context))),
      }
    }
    // oxlint-disable-next-line no-await-in-loop -- it ends when nobody waits any more, because a store does not begin then
    await new Promise((resolve) => setTimeout(resolve, Math.min(everyMs, leftMs)))
  }
})

type LeaseOnWire = OutputOf<typeof operations.awaitMonitoring>['leases'][number]

async function leaseOnWire(
  { monitorId, projectId, document, sealedSecret, run }: MonitorLease,
  { deps }: CallContext,
): Promise<LeaseOnWire> {
  return {
    monitor_id: monitorId,
    document,
    secret: sealedSecret === null ? null : await deps.sealing.open(sealedSecret, projectId),
    run: run && {
      bench_result_id: run.benchResultId,
      started_at: run.startedAt.toISOString(),
      lease: run.lease,
      next_sequence: run.lastSequence + 1,
    },
  }
}
