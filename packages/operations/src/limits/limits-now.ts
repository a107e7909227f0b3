import type { LimitName, Principal } from '@flamegate/contract'
import {
  callerBuckets,
  clientSlots,
  workspaceBuckets,
  workspaceSlots,
  type CallLimits,
} from './call-limits.ts'
import type { Stores } from '../ports/index.ts'

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
  { limits, stores }: { limits: CallLimits | undefined; stores: Pick<Stores, 'plans'> },
  principal: Principal,
  workspaceId: string,
): Promise<LimitOnWire[]> {
  if (limits === undefined) return []
  const { limiter, factor } = limits
  const { limits: plan } = await stores.plans.ofWorkspace(workspaceId)
  const buckets = [
    ...workspaceBuckets(workspaceId, plan.calls_per_minute, factor),
    ...callerBuckets(principal, undefined, factor),
  ]
  const slots = [
    ...clientSlots(principal, undefined, factor),
    ...workspaceSlots(workspaceId, undefined, factor),
  ]
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
