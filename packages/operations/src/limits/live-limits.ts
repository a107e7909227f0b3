import { Problem } from '@flamegate/contract'
import type { Bucket, LiveBounds, LiveRecordingBounds } from '../ports/index.ts'
import type { CallLimits } from './call-limits.ts'
import type { LoadFactor } from './load-limits.ts'

/**
 * What live apps may be in the plan `free`, which is the only one. Values are entries of logs and items of sections; what is
 * kept of an app is a quarter of an hour of so many of them, or days of what programs usually tell.
 */
const plan = {
  appsOfProjectMax: 100,
  valuesPerSecond: 100_000,
  valuesAtOnceMax: 1_000_000,
  keptBytesMax: 512 * 2 ** 20,
  recordingsOfProjectMax: 500,
  recordedBytesOfWorkspaceMax: 512 * 2 ** 20,
}

/** The plan's apps of a project, as far as this installation goes from it; Infinity where nothing is limited. */
export function liveAppsMax(limits: LoadFactor): number {
  return Math.ceil(plan.appsOfProjectMax * (limits?.factor ?? Infinity))
}

/** What is kept of an app. It has an end also where nothing is limited: a program tells something all the time. */
export function liveBytesMax(limits: LoadFactor): LiveBounds['bytesMax'] {
  return Math.round(plan.keptBytesMax * Math.max(1, limits?.factor ?? 1))
}

/** The plan's live recordings, as far as this installation goes from it; Infinity where nothing is limited. */
export function liveRecordingBounds(limits: LoadFactor): LiveRecordingBounds {
  const factor = limits?.factor ?? Infinity
  return {
    recordingsOfProjectMax: Math.ceil(plan.recordingsOfProjectMax * factor),
    bytesOfWorkspaceMax: Math.round(plan.recordedBytesOfWorkspaceMax * factor),
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
    capacity: Math.max(values, Math.round(plan.valuesAtOnceMax * factor)),
    perSecond: plan.valuesPerSecond * factor,
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
