import { Problem } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import { limitsOf } from '../limits/workspace-limits.ts'
import { mayComeBack, type Collector, type McpTarget, type Project } from '../ports/index.ts'
import { orderSession, type McpOffer } from './order-session.ts'

/** Calls per second of a session of a monitor: a light load, as `mcp-profiler continuous` makes it. */
const monitorRps = 2

/**
 * Orders sessions of monitors that are due, of a collector that says what it may measure. What keeps a monitor from another session,
 * such as that its target has as many as it may have, is nothing that the collector could mend: it does all else meanwhile.
 */
export async function orderDueSessions(
  context: CallContext,
  project: Pick<Project, 'id' | 'workspaceId'>,
  collector: Collector,
): Promise<void> {
  const { caller, deps } = context
  const servers = collector.mcpServers.filter(({ commands }) => commands.includes('start'))
  if (servers.length === 0) return
  const { featuresOff } = await limitsOf(deps, project.workspaceId)
  if (featuresOff.includes('mcp_servers')) return
  const names = servers.map(({ name }) => name)
  for (const target of await deps.stores.mcp.takeDue(caller, project, names)) {
    const server = servers.find(({ name }) => name === target.name)
    if (server === undefined) continue
    try {
      // oxlint-disable-next-line no-await-in-loop -- few, and each is three rows
      await orderDue(context, target, { collector, server })
    } catch (error) {
      if (!(error instanceof Problem) || mayComeBack(error)) throw error
    }
  }
}

async function orderDue(context: CallContext, target: McpTarget, offer: McpOffer): Promise<void> {
  if (target.monitor === null) return
  const { seconds, retentionHours } = target.monitor
  const { secondsMax, rpsMax } = offer.server
  await orderSession(context, target, {
    measurement: {
      command: 'start',
      seconds: Math.min(seconds, secondsMax),
      rps: Math.min(monitorRps, rpsMax),
      ...(target.operations.length === 0 ? {} : { operations: target.operations }),
      ...(Object.keys(target.arguments).length === 0 ? {} : { arguments: target.arguments }),
    },
    offer,
    origin: 'monitor',
    expiresAt: new Date(Date.now() + retentionHours * 3_600_000),
  })
}
