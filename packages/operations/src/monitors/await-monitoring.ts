import { operations, type OutputOf } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import { lookUntil } from '../look-until.ts'
import type { MonitorLease } from '../ports/index.ts'
import { getWorkspace } from '../targets.ts'

/** How soon an agent hears of what there is to do: before a run begins, of which the start is some seconds ahead. */
const everyMs = 1000

export const awaitMonitoring = implement(operations.awaitMonitoring)(async (input, context) => {
  const { caller, deps } = context
  const { id: workspaceId } = await getWorkspace(context, input.workspace_id)
  const agent = { workspaceId, name: input.agent, agentGroup: input.agent_group, version: input.version }
  await deps.stores.monitors.noteAgent(caller, agent)
  const lease = () => deps.stores.monitors.lease(caller, agent)
  const leases = await lookUntil(await lease(), lease, (leased) => leased.length > 0, {
    seconds: input.wait_seconds,
    everyMs,
  })
  // Some six a minute for each agent, all night.
  if (leases.length === 0) context.isUneventful()
  return {
    workspace_id: workspaceId,
    now: new Date().toISOString(),
    leases: await Promise.all(leases.map((leased) => leaseOnWire(leased, context))),
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
