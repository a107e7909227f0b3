import type { AlertThresholds, LiveAlertType, StoredAlertThresholds } from '../ports/index.ts'

export const liveAlertTypes = [
  'high_cpu',
  'high_memory',
  'slow_response',
  'high_error_rate',
] as const satisfies readonly LiveAlertType[]

const allOff: AlertThresholds = {
  high_cpu: null,
  high_memory: null,
  slow_response: null,
  high_error_rate: null,
}

/** Those that count for an app, or for all of the project that have none of their own: type by type. */
export function alertThresholdsOf(
  stored: readonly StoredAlertThresholds[],
  liveAppId: string | null,
): AlertThresholds {
  return { ...allOff, ...setFor(stored, null), ...(liveAppId === null ? {} : setFor(stored, liveAppId)) }
}

/** Those that were set for exactly that. */
export function setFor(
  stored: readonly StoredAlertThresholds[],
  liveAppId: string | null,
): Partial<AlertThresholds> {
  return stored.find((each) => each.liveAppId === liveAppId)?.thresholds ?? {}
}
