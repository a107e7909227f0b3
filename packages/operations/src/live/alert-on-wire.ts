import { mcpTargetLink, type LiveAlertShape, type McpAlertShape } from '@flamegate/contract'
import type { LiveAlert } from '../ports/index.ts'
import { isoOrNull } from '../wire.ts'

export function liveAlertOnWire(alert: LiveAlert): LiveAlertShape | McpAlertShape {
  const told = {
    id: alert.id,
    project_id: alert.projectId,
    state: alert.state,
    name: alert.targetName,
    type: alert.type,
    of: alert.subject,
    unit: alert.unit,
    value: alert.value,
    limit: alert.crossedLimit,
    for_seconds: alert.forSeconds,
    since: alert.since.toISOString(),
    until: isoOrNull(alert.until),
    reason: alert.reason,
    detected_at: alert.createdAt.toISOString(),
    state_by: alert.stateBy,
    state_reason: alert.stateReason,
    state_at: isoOrNull(alert.stateAt),
    muted_until: alert.state === 'muted' ? isoOrNull(alert.mutedUntil) : null,
  }
  return alert.targetKind === 'live_app'
    ? { ...told, kind: alert.targetKind, live_app_id: alert.targetId }
    : {
        ...told,
        kind: alert.targetKind,
        mcp_target_id: alert.targetId,
        mcp_session_id: alert.mcpSessionId,
      }
}

/** Path of the page of what an alert is about. */
export function pageOfLiveAlert({ targetKind, targetId }: LiveAlert): string {
  return targetKind === 'live_app' ? `/live-apps/${targetId}` : mcpTargetLink(targetId)
}
