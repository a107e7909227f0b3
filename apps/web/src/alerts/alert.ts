import type { AnswerOf, operations, RawInputOf } from '@flamegate/contract'

export type AnyAlert = AnswerOf<typeof operations.listPerformanceAlerts>['alerts'][number]
/** About a benchmark. */
export type Alert = Extract<AnyAlert, { kind: 'benchmark' }>
export type AlertState = Alert['state']
export type AlertAction = NonNullable<RawInputOf<typeof operations.resolveAlert>['action']>

/** What wants somebody's eye first. */
export const alertStates = [
  'open',
  'acknowledged',
  'muted',
  'resolved',
] as const satisfies readonly AlertState[]

/** What may be done with alerts of these states, the usual first. What is resolved can only be reopened. */
export function possibleActions(states: readonly AlertState[]): AlertAction[] {
  const actions: AlertAction[] = []
  if (states.includes('open') || states.includes('muted')) actions.push('acknowledge')
  if (states.includes('open') || states.includes('acknowledged')) actions.push('mute')
  if (states.some((state) => state !== 'resolved')) actions.push('resolve')
  if (states.some((state) => state !== 'open')) actions.push('reopen')
  return actions
}

/** Whether an action would change an alert. */
export function isPossible(action: AlertAction, { state }: Pick<Alert, 'state'>): boolean {
  return possibleActions([state]).includes(action)
}

/** The state of an address, or the open ones. */
export function chosenState(word: string | undefined): AlertState | 'all' {
  return word === 'all' ? 'all' : (alertStates.find((state) => state === word) ?? 'open')
}

/** Those that are about benchmarks. */
export function ofBenchmarks(alerts: readonly AnyAlert[]): Alert[] {
  return alerts.flatMap((alert) => (alert.kind === 'benchmark' ? [alert] : []))
}
