import type { operations, OutputOf } from '@flamegate/contract'
import { parseDocument } from '@flamegate/loadtest'
import { isOnline } from '../bench-runs/on-wire.ts'
import type { CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'
import { checkOnWire } from './on-wire.ts'

type Check = NonNullable<OutputOf<typeof operations.setMonitor>['check']>

/** Agents hear of it within a second, and give a system five to answer. */
const waitMs = 10_000
const everyMs = 250

/** Has an agent of its group connect to what is monitored, and waits for what it says. */
export async function checkMonitor(monitor: DesignObject, context: CallContext): Promise<Check> {
  const { caller, deps } = context
  const { monitors } = deps.stores
  const group = parseDocument('monitor', monitor.document).agent_group
  const agents = await monitors.listAgents(caller, monitor.workspaceId)
  if (!agents.some((agent) => agent.agentGroup === group && isOnline(agent))) {
    return unanswered(
      `No agent of the group ${group} collects monitors now. Start one near the system: flamegate monitor --group ${group} --workspace ${monitor.workspaceId}, with a token of get_agent_install_command.`,
    )
  }
  const askedAt = await monitors.askCheck(caller, monitor)
  const deadline = Date.now() + waitMs
  while (Date.now() < deadline) {
    // oxlint-disable-next-line no-await-in-loop -- it ends when nobody waits any more, because a store does not begin then
    await new Promise((resolve) => setTimeout(resolve, everyMs))
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    const state = await monitors.findState(caller, monitor.id)
    if (state?.checkedAt && state.checkedAt >= askedAt) return checkOnWire(state)
  }
  return unanswered(`No agent answered within ${waitMs / 1000} s. list_monitors tells when one did.`)
}

function unanswered(message: string): Check {
  return { is_reachable: null, message, counters: [], counter_count: 0 }
}
