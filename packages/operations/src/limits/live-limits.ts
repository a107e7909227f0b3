import { Problem } from '@flamegate/contract'
import type { Bucket, LiveRecordingBounds } from '../ports/index.ts'
import type { CallLimits } from './call-limits.ts'
import { limitsOf, type LimitedDeps, type LimitFactor } from './workspace-limits.ts'

/** What keeps an app and a project within bounds, whatever the plan. Values are entries of logs and items of sections. */
const most = {
  appsOfProjectMax: 100,
  valuesPerSecond: 100_000,
  valuesAtOnceMax: 1_000_000,
  recordingsOfProjectMax: 500,
}

/** Apps of a project, as far as this installation goes; Infinity where nothing is limited. */
export function liveAppsMax(limits: LimitFactor): number {
  return Math.ceil(most.appsOfProjectMax * (limits?.factor ?? Infinity))
}

/** Live recordings that a workspace may have; Infinity where nothing is limited. */
export async function liveRecordingBounds(
  deps: LimitedDeps,
  workspaceId: string,
): Promise<LiveRecordingBounds> {
  const { liveRecordingBytes } = await limitsOf(deps, workspaceId)
  return {
    recordingsOfProjectMax: Math.ceil(most.recordingsOfProjectMax * (deps.limits?.factor ?? Infinity)),
    bytesOfWorkspaceMax: liveRecordingBytes,
  }
}

/**
 * Counts the values of a push against what its app may tell in a time.
 * @throws Problem `rate_limited`
 */
export async function enterLiveValues(
  limits: CallLimits | undefined,
  appId: string,
  values: number,
): Promise<void> {
  if (limits === undefined || values === 0) return
  const { limiter, factor } = limits
  const bucket: Bucket = {
    name: 'live-values',
    key: `live-values:${appId}`,
    // Less than the largest push would be never.
    capacity: Math.max(values, Math.round(most.valuesAtOnceMax * factor)),
    perSecond: most.valuesPerSecond * factor,
  }
  const verdict = await limiter.take({ lease: '', cost: values, buckets: [bucket], slots: [] })
  if (verdict.refusedBy === undefined) return
  throw tooMuch(
    `The limit "live-values" is reached: ${Math.round(bucket.perSecond)} log entries and items a second of one live app.`,
    { retryAfterSeconds: Math.max(1, Math.ceil(verdict.retryAfterMs / 1000)), limits: verdict.limits },
  )
}

/** A push that is to come again later. */
export function tooMuch(
  why: string,
  options: { retryAfterSeconds: number } & Pick<
    NonNullable<ConstructorParameters<typeof Problem>[2]>,
    'limits'
  >,
): Problem {
  return new Problem(
    'rate_limited',
    `${why} Nothing was stored. Send the same push again in ${options.retryAfterSeconds} s, or measure less.`,
    options,
  )
}
