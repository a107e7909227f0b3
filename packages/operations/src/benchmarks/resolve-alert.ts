import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { liveAlertOnWire } from '../live/alert-on-wire.ts'
import type { AlertState } from '../ports/index.ts'
import { getAlert } from '../targets.ts'
import { alertOnWire } from './watching-on-wire.ts'

const stateAfter = {
  acknowledge: 'acknowledged',
  mute: 'muted',
  resolve: 'resolved',
  reopen: 'open',
} as const satisfies Record<string, AlertState>

const weekMs = 7 * 24 * 3_600_000

export const resolveAlert = implement(operations.resolveAlert)(async (input, context) => {
  const { id, kind } = await getAlert(context, input.alert_id)
  const { alerts, liveAlerts } = context.deps.stores
  const change = {
    state: stateAfter[input.action],
    reason: input.reason,
    ...(input.action === 'mute' ? { mutedUntil: mutedUntil(input.mute_until) } : {}),
  }
  if (kind === 'program') {
    const alert = await liveAlerts.changeState(context.caller, id, change)
    if (alert === undefined) throw gone()
    return { alert: liveAlertOnWire(alert) }
  }
  const alert = await alerts.changeState(context.caller, id, change)
  if (alert === undefined) throw gone()
  return { alert: alertOnWire(alert) }
})

function gone(): Problem {
  return new Problem('alert_not_found', 'This alert was removed just now.')
}

function mutedUntil(asked: string | undefined): Date {
  const until = asked === undefined ? new Date(Date.now() + weekMs) : new Date(asked)
  if (until.getTime() > Date.now()) return until
  throw new Problem('invalid_input', 'mute_until is over already.', {
    errors: [{ field: 'mute_until', message: 'Give a time to come.' }],
  })
}
