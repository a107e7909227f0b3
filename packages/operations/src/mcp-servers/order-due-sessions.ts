import type { CallContext } from '../implement.ts'
import type { Collector, Project } from '../ports/index.ts'
import { orderSession } from './order-session.ts'

/** Calls per second of a session of a monitor: a light load, as `mcp-profiler continuous` makes it. */
const monitorRps = 2

/** Orders sessions of monitors that are due, of a collector that says what it may measure. */
export async function orderDueSessions(
  context: CallContext,
  project: Pick<Project, 'id' | 'workspaceId'>,
  collector: Collector,
): Promise<void> {
  const servers = collector.mcpServers.filter(({ commands }) => commands.includes('start'))
  if (servers.length === 0) return
  const names = servers.map(({ name }) => name)
  for (const target of await context.deps.stores.mcp.takeDue(context.caller, project, names)) {
    const server = servers.find(({ name }) => name === target.name)
    if (server === undefined || target.monitor === null) continue
    const { seconds, retentionHours } = target.monitor
    // oxlint-disable-next-line no-await-in-loop -- few, and each is three rows
    await orderSession(context, target, {
      measurement: {
        command: 'start',
        seconds: Math.min(seconds, server.secondsMax),
        rps: Math.min(monitorRps, server.rpsMax),
        ...(target.operations.length === 0 ? {} : { operations: target.operations }),
        ...(Object.keys(target.arguments).length === 0 ? {} : { arguments: target.arguments }),
      },
      offer: { collector, server },
      origin: 'monitor',
      expiresAt: new Date(Date.now() + retentionHours * 3_600_000),
    })
  }
}
