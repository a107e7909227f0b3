import type { JudgedThreshold } from '../bench-runs/thresholds.ts'
import type { SlaVerdictOnWire } from './judge-sla.ts'

/** Whether a run kept to its thresholds and to the SLA profiles of what it ran. A warning is no failure. */
export function hasPassed(
  thresholds: readonly Pick<JudgedThreshold, 'state'>[],
  sla: readonly Pick<SlaVerdictOnWire, 'severity'>[],
): boolean {
  return (
    thresholds.every(({ state }) => state !== 'breached') &&
    sla.every(({ severity }) => severity !== 'critical')
  )
}
