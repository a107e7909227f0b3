import type { McpSessionShape, McpTargetShape } from '@flamegate/contract'
import type { Collector, McpSession, McpTargetWithLast } from '../ports/index.ts'
import { isConnected } from '../profiles/collectors.ts'
import { isoOrNull } from '../wire.ts'

/** A target, with those of the project's collectors that are connected and may measure it. */
export function mcpTargetOnWire(target: McpTargetWithLast, collectors: readonly Collector[]): McpTargetShape {
  const { monitor, last } = target
  return {
    id: target.id,
    project_id: target.projectId,
    name: target.name,
    address: target.address,
    transport: target.transport,
    operations: target.operations,
    arguments: target.arguments,
    note: target.note,
    monitor:
      monitor === null
        ? null
        : {
            interval_seconds: monitor.intervalSeconds,
            retention_hours: monitor.retentionHours,
            seconds: monitor.seconds,
            next_at: (target.monitorNextAt ?? target.updatedAt).toISOString(),
          },
    collectors: collectors
      .filter((each) => isConnected(each) && each.mcpServers.some(({ name }) => name === target.name))
      .map(({ name }) => name),
    sessions: target.sessions,
    last_session:
      last === null
        ? null
        : {
            id: last.id,
            started_at: last.startedAt.toISOString(),
            command: last.command,
            figures: last.figures,
          },
    alerts: target.alerts,
    created_at: target.createdAt.toISOString(),
    updated_at: target.updatedAt.toISOString(),
  }
}

export function mcpSessionOnWire(session: McpSession): McpSessionShape {
  return {
    id: session.id,
    project_id: session.projectId,
    mcp_target_id: session.mcpTargetId,
    target: session.target,
    command: session.command,
    label: session.label,
    origin: session.origin,
    state: session.status,
    message: session.message,
    task_id: session.taskId,
    collector: session.collector,
    measurement: session.measurement,
    server_version: session.serverVersion,
    started_at: isoOrNull(session.startedAt),
    figures: session.figures,
    profile_ids: session.profileIds,
    size_bytes: session.sizeBytes,
    created_by: session.createdBy,
    created_at: session.createdAt.toISOString(),
    expires_at: isoOrNull(session.expiresAt),
  }
}
