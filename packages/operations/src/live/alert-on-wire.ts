import type { LiveAlertShape } from '@flamegate/contract'
import type { LiveAlert } from '../ports/index.ts'
import { isoOrNull } from '../wire.ts'

export function liveAlertOnWire(alert: LiveAlert): LiveAlertShape {
  return {
    id: alert.id,
    project_id: alert.projectId,
    kind: 'live_app',
    state: alert.state,
    live_app_id: alert.liveAppId,
    name: alert.appName,
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
}
