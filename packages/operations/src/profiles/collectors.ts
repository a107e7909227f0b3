import { Problem, type operations, type OutputOf } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { CaptureOrder, Collector, OfferedCapture, OfferedMcpServer } from '../ports/index.ts'
import { reach } from '../targets.ts'

type CollectorOnWire = OutputOf<typeof operations.listCollectors>['collectors'][number]

/** A collector says that it is there every half minute at least. */
const connectedMs = 60_000

export function isConnected({ lastSeenAt }: Pick<Collector, 'lastSeenAt'>, now = Date.now()): boolean {
  return now - lastSeenAt.getTime() < connectedMs
}

export function collectorOnWire(collector: Collector): CollectorOnWire {
  return {
    id: collector.id,
    project_id: collector.projectId,
    name: collector.name,
    version: collector.version,
    is_connected: isConnected(collector),
    last_seen_at: collector.lastSeenAt.toISOString(),
    captures: collector.captures.map(offeredOnWire),
    mcp_servers: collector.mcpServers.map(offeredServerOnWire),
  }
}

export function offeredOnWire({
  name,
  kind,
  types,
  secondsMax,
  description,
}: OfferedCapture): CollectorOnWire['captures'][number] {
  return {
    name,
    kind,
    types,
    seconds_max: secondsMax,
    ...(description === undefined ? {} : { description }),
  }
}

function offeredServerOnWire({
  secondsMax,
  rpsMax,
  concurrentMax,
  ...rest
}: OfferedMcpServer): CollectorOnWire['mcp_servers'][number] {
  return { ...rest, seconds_max: secondsMax, rps_max: rpsMax, concurrent_max: concurrentMax }
}

export async function getCollector(context: CallContext, id: string): Promise<Collector> {
  const collector = await context.deps.stores.collectors.find(context.caller, id)
  if (collector === undefined) {
    throw new Problem('collector_not_found', 'No such collector in your workspaces.')
  }
  await reach(context, collector.workspaceId, collector.id)
  return collector
}

export async function getOrder(context: CallContext, taskId: string): Promise<CaptureOrder> {
  const order = await context.deps.stores.collectors.findOrder(context.caller, taskId)
  if (order === undefined) {
    throw new Problem('task_not_found', 'No such capture in your workspaces.')
  }
  await reach(context, order.workspaceId, order.taskId)
  return order
}
