import type { operations, OutputOf } from '@flamegate/contract'
import { parseDocument } from '@flamegate/loadtest'
import { isOnline } from '../bench-runs/on-wire.ts'
import type { DesignObject, MonitorAgent, MonitorState } from '../ports/index.ts'
import { isoOrNull } from '../wire.ts'

type Listed = OutputOf<typeof operations.listMonitors>
type Check = NonNullable<OutputOf<typeof operations.getMonitor>['check']>

export function monitorOnWire(
  object: DesignObject,
  state: MonitorState | undefined,
): Listed['monitors'][number] {
  const document = parseDocument('monitor', object.document)
  return {
    id: object.id,
    project_id: object.projectId,
    name: object.name,
    type: document.type,
    version: object.version,
    has_secret: object.hasSecret,
    document,
    is_reachable: state?.isReachable ?? null,
    message: state?.message ?? '',
    agent: state?.agent ?? '',
    seen_at: isoOrNull(state?.seenAt ?? null),
    updated_at: object.updatedAt.toISOString(),
  }
}

export function checkOnWire({ isReachable, message, counters, counterCount }: MonitorState): Check {
  return { is_reachable: isReachable, message, counters, counter_count: counterCount }
}

export function monitorAgentOnWire(agent: MonitorAgent): Listed['agents'][number] {
  return {
    name: agent.name,
    agent_group: agent.agentGroup,
    version: agent.version,
    is_online: isOnline(agent),
    last_seen_at: agent.lastSeenAt.toISOString(),
  }
}
