import {
  callCosts,
  waitsForWork,
  type LimitName,
  type Operation,
  type Principal,
  type Scope,
} from '@flamegate/contract'
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
  // Two hundred agents that report twice a second, as they do before a run: a report costs 2.
  agents: { perMinute: 60_000, burst: 10_000 },
  'live-pushes': { perMinute: 12_000, burst: 2_000 },
} as const
const atOnce = {
  'client-concurrency': 50,
  'workspace-concurrency': 200,
  // Of what agents and collectors wait for: each looks for it once a second.
  'client-waiting': 200,
  'workspace-waiting': 300,
} as const

/** A call, as far as limits go by what it is of. */
export interface CountedCall extends Pick<Operation, 'id' | 'effect' | 'mcp' | 'input'> {
  scopes: readonly Scope[]
}

const pushes: ReadonlySet<string> = new Set(['push_live', 'push_otlp'])

/** Programs push every second, in somebody's name: they use up nothing of what that person, and the workspace, may call. */
export function isPush(tool: string): boolean {
  return pushes.has(tool)
}

/** Many agents call every second with one token: they use up nothing of what whoever made it, and the workspace, may call. */
export function isOfAgents(call: Pick<CountedCall, 'scopes'>, principal: Pick<Principal, 'scopes'>): boolean {
  return [call, principal].every(({ scopes }) => scopes.includes('agent'))
}

/** What every call of a person counts against, wherever it leads: the person, their client, and the tool. */
export function callerBuckets(
  principal: Principal,
  call: Pick<CountedCall, 'id' | 'scopes'> | undefined,
  factor: number,
): Bucket[] {
  const { userId, clientId, via } = principal
  if (call !== undefined && isPush(call.id)) return [bucket('live-pushes', `${userId}:${clientId}`, factor)]
  // Of all tokens of a person together: whoever makes more of them has no more.
  if (call !== undefined && isOfAgents(call, principal)) return [bucket('agents', userId, factor)]
  const ofClient = bucket('client', `${userId}:${clientId}`, factor)
  // Whoever follows a public link uses up nothing of the person whose link it is.
  if (via === 'share_link') return [ofClient]
  return [
    bucket('user', userId, factor),
    ofClient,
    ...(call === undefined ? [] : [bucket('tool', `${userId}:${call.id}`, factor)]),
  ]
}

/** What all calls about a workspace count against, by its plan; none where that has no limit. */
export function workspaceBuckets(workspaceId: string, perMinute: number | null, factor: number): Bucket[] {
  if (perMinute === null) return []
  return [bucketOf('workspace', workspaceId, { perMinute, burst: perMinute / 6 }, factor)]
}

/** What waits for work keeps no slot from what is done. */
export function clientSlots(principal: Principal, call: CountedCall | undefined, factor: number): Slots[] {
  const whose = `${principal.userId}:${principal.clientId}`
  if (call !== undefined && waitsForWork(call)) return [slotsOf('client-waiting', whose, factor)]
  // Those of a run report in the same instant: turns, and the slots of the workspace, say how many are at work.
  if (call !== undefined && isOfAgents(call, principal)) return []
  return [slotsOf('client-concurrency', whose, factor)]
}

export function workspaceSlots(workspaceId: string, call: CountedCall | undefined, factor: number): Slots[] {
  const isWaiting = call !== undefined && waitsForWork(call)
  return [slotsOf(isWaiting ? 'workspace-waiting' : 'workspace-concurrency', workspaceId, factor)]
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
