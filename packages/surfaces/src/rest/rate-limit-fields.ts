import type { LimitState } from '@flamegate/contract'

/**
 * The response fields of https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ (revision 11), from
 * the limits that a call met. Where a limit was asked more than once, the last state counts.
 *
 *     RateLimit-Policy: "client";q=600;w=12, "client-concurrency";q=50;qu="concurrent-requests"
 *     RateLimit: "client";r=598;t=1, "client-concurrency";r=49;t=0
 */
export function rateLimitField(limits: readonly LimitState[]): string {
  return items(limits, ({ name, remaining, moreInSeconds }) => `"${name}";r=${remaining};t=${moreInSeconds}`)
}

/** What does not change from one answer to the next. */
export function rateLimitPolicyField(limits: readonly LimitState[]): string {
  return items(limits, ({ name, quota, windowSeconds }) =>
    windowSeconds === undefined
      ? `"${name}";q=${quota};qu="concurrent-requests"`
      : `"${name}";q=${quota};w=${windowSeconds}`,
  )
}

function items(limits: readonly LimitState[], write: (limit: LimitState) => string): string {
  return [...new Map(limits.map((limit) => [limit.name, limit])).values()].map(write).join(', ')
}
