/** The limits that a call can meet: how many calls in a time, and how many at once. */
export const limitNames = [
  'workspace',
  'user',
  'client',
  'tool',
  'agents',
  'live-pushes',
  'live-values',
  'client-concurrency',
  'workspace-concurrency',
  'client-waiting',
  'workspace-waiting',
] as const
export type LimitName = (typeof limitNames)[number]

/** Those that are about the caller and the operation alone, and asked before anything is looked at. */
export const callerLimits = ['user', 'client', 'tool'] as const
export type CallerLimit = (typeof callerLimits)[number]

/** One limit as it stands after a call: what the RateLimit headers and `get_usage` say. */
export interface LimitState {
  name: LimitName
  /** Most that can be left: calls at once for concurrency, else calls in a burst. A read costs 1. */
  quota: number
  /** How long an empty allowance takes to fill up; undefined for concurrency, where time fills nothing. */
  windowSeconds: number | undefined
  /** How much is left, rounded down. */
  remaining: number
  /** Until there is more: 0 when everything is left, the wait when this limit refused. */
  moreInSeconds: number
  /** Until everything is left again, if nothing is called. */
  fullInSeconds: number
}
