import type { LimitName, Principal } from '@flamegate/contract'
import {
  callerBuckets,
  clientSlots,
  workspaceBucket,
  workspaceSlots,
  type CallLimits,
} from './call-limits.ts'

/** One limit as `get_usage` shows it. */
interface LimitOnWire {
  name: LimitName
  quota: number
  remaining: number
  resets_in_seconds: number
  refills_per_minute: number | null
}

/** How the limits of a workspace, a person and their client stand. The call that asks runs, and so counts itself. */
export async function limitsNow(
  limits: CallLimits | undefined,
  principal: Principal,
  workspaceId: string,
): Promise<LimitOnWire[]> {
  if (limits === undefined) return []
  const { limiter, factor } = limits
  const buckets = [workspaceBucket(workspaceId, factor), ...callerBuckets(principal, undefined, factor)]
  const slots = [clientSlots(principal, factor), workspaceSlots(workspaceId, factor)]
  const verdict = await limiter.take({ lease: '', cost: 0, buckets, slots })
  const perSecond = new Map(buckets.map((bucket) => [bucket.name, bucket.perSecond]))
  return verdict.limits.map(({ name, quota, remaining, fullInSeconds }) => ({
    name,
    quota,
    remaining,
    resets_in_seconds: fullInSeconds,
    refills_per_minute: (perSecond.get(name) ?? 0) * 60 || null,
  }))
}
