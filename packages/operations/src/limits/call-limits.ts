import { callCosts, type LimitName, type Principal } from '@flamegate/contract'
import type { Bucket, RateLimiter, Slots } from '../ports/index.ts'

/** What limits calls, and how far from its limits this installation goes. */
export interface CallLimits {
  limiter: RateLimiter
  /** All limits are multiplied by this, those of plans too. */
  factor: number
}

/**
 * What protects the installation, whatever the plan. A bucket is per minute, with the largest burst: an agent that
 * works calls a few times a second, a page a few times at once, and CI uploads a few hundred results in a row.
 */
const rates = {
  user: { perMinute: 6_000, burst: 1_000 },
  client: { perMinute: 3_000, burst: 600 },
  tool: { perMinute: 2_400, burst: 400 },
  'live-pushes': { perMinute: 12_000, burst: 2_000 },
} as const
const atOnce = { 'client-concurrency': 50, 'workspace-concurrency': 200 } as const

const pushes: ReadonlySet<string> = new Set(['push_live', 'push_otlp'])

/** Programs push every second, in somebody's name: they use up nothing of what that person, and the workspace, may call. */
export function isPush(tool: string): boolean {
  return pushes.has(tool)
}

/** What every call of a person counts against, wherever it leads: the person, their client, and the tool. */
export function callerBuckets(
  { userId, clientId, via }: Principal,
  tool: string | undefined,
  factor: number,
): Bucket[] {
  if (tool !== undefined && isPush(tool)) return [bucket('live-pushes', `${userId}:${clientId}`, factor)]
  const ofClient = bucket('client', `${userId}:${clientId}`, factor)
  // Whoever follows a public link uses up nothing of the person whose link it is.
  if (via === 'share_link') return [ofClient]
  return [
    bucket('user', userId, factor),
    ofClient,
    ...(tool === undefined ? [] : [bucket('tool', `${userId}:${tool}`, factor)]),
  ]
}

/** What all calls about a workspace count against, by its plan; none where that has no limit. */
export function workspaceBuckets(workspaceId: string, perMinute: number | null, factor: number): Bucket[] {
  if (perMinute === null) return []
  return [bucketOf('workspace', workspaceId, { perMinute, burst: perMinute / 6 }, factor)]
}

export function clientSlots({ userId, clientId }: Principal, factor: number): Slots {
  return slotsOf('client-concurrency', `${userId}:${clientId}`, factor)
}

export function workspaceSlots(workspaceId: string, factor: number): Slots {
  return slotsOf('workspace-concurrency', workspaceId, factor)
}

function bucket(name: keyof typeof rates, whose: string, factor: number): Bucket {
  return bucketOf(name, whose, rates[name], factor)
}

function bucketOf(
  name: LimitName,
  whose: string,
  { perMinute, burst }: { perMinute: number; burst: number },
  factor: number,
): Bucket {
  return {
    name,
    key: `${name}:${whose}`,
    // Less than the dearest call would be never.
    capacity: Math.max(callCosts.run, Math.round(burst * factor)),
    perSecond: (perMinute * factor) / 60,
  }
}

function slotsOf(name: keyof typeof atOnce & LimitName, whose: string, factor: number): Slots {
  return { name, key: `${name}:${whose}`, most: Math.max(1, Math.round(atOnce[name] * factor)) }
}
