import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
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
  const before = await getAlert(context, input.alert_id)
  const alert = await context.deps.stores.alerts.changeState(context.caller, before.id, {
    state: stateAfter[input.action],
    reason: input.reason,
    ...(input.action === 'mute' ? { mutedUntil: mutedUntil(input.mute_until) } : {}),
  })
  if (alert === undefined) throw new Problem('alert_not_found', 'This alert was removed just now.')
  return { alert: alertOnWire(alert) }
})

function mutedUntil(asked: string | undefined): Date {
  const until = asked === undefined ? new Date(Date.now() + weekMs) : new Date(asked)
  if (until.getTime() > Date.now()) return until
  throw new Problem('invalid_input', 'mute_until is over already.', {
    errors: [{ field: 'mute_until', message: 'Give a time to come.' }],
  })
}
