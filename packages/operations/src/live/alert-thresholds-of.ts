import type { AlertTarget, AlertThresholds, LiveAlertType, StoredAlertThresholds } from '../ports/index.ts'

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

/** Those that count for an app or MCP target, or for all of the project that have none of their own: type by type. */
export function alertThresholdsOf(
  stored: readonly StoredAlertThresholds[],
  kind: AlertTarget,
  id: string | null,
): AlertThresholds {
  return { ...allOff, ...setFor(stored, kind, null), ...(id === null ? {} : setFor(stored, kind, id)) }
}

/** Those that were set for exactly that. */
export function setFor(
  stored: readonly StoredAlertThresholds[],
  kind: AlertTarget,
  id: string | null,
): Partial<AlertThresholds> {
  const found = stored.find(({ targetKind, targetId }) => targetKind === kind && targetId === id)
  return found?.thresholds ?? {}
}
