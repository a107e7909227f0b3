import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { isoOrNull } from '../wire.ts'
import { checkOnWire, monitorOnWire } from './on-wire.ts'
import { getMonitorObject } from './reaching.ts'

export const getMonitor = implement(operations.getMonitor)(async (input, context) => {
  const monitor = await getMonitorObject(context, input.monitor_id)
  const state = await context.deps.stores.monitors.findState(context.caller, monitor.id)
  const checkedAt = state?.checkedAt ?? null
  return {
    monitor: monitorOnWire(monitor, state),
    check: state === undefined || checkedAt === null ? null : checkOnWire(state),
    checked_at: isoOrNull(checkedAt),
  }
})
