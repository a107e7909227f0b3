import { addressKey, hashSecret } from '@flamegate/auth'
import type { Bucket, RateLimiter } from '@flamegate/operations/ports'

/** What counts requests, and what the limits below are multiplied by. */
export interface RequestLimits {
  limiter: RateLimiter
  factor: number
}

/** Who asks for a token: the client as it names itself, which proves nothing yet, and where it calls from. */
export interface Requester {
  clientId: string
  address: string
}

/** Each gives the seconds to wait, or undefined when the request may go on. */
export interface OAuthLimits {
  authorization(address: string): Promise<number | undefined>
  token(requester: Requester): Promise<number | undefined>
  /** Counts a token request that failed. */
  failedToken(requester: Requester): Promise<void>
}

/**
 * Requests in a minute, and the largest burst. Behind one address may be a whole company, or a hosted client with all its
 * people, who refresh some tokens at once, each every ten minutes; a client that fails for some of them is no attack.
 */
const rates = {
  authorization: { perMinute: 120, burst: 300 },
  'token-client': { perMinute: 1_800, burst: 600 },
  'token-address': { perMinute: 6_000, burst: 2_000 },
  'failed-token-client': { perMinute: 600, burst: 300 },
  'failed-token-address': { perMinute: 1_200, burst: 600 },
} as const

const unlimited: OAuthLimits = {
  authorization: async () => undefined,
  token: async () => undefined,
  failedToken: async () => undefined,
}

export function createOAuthLimits(limits: RequestLimits | undefined): OAuthLimits {
  if (!limits) return unlimited
  const { limiter, factor } = limits

  function bucket(rate: keyof typeof rates, whose: string): Bucket {
    const { perMinute, burst } = rates[rate]
    return {
      // Nobody is told a name here.
      name: 'client',
      key: `oauth-${rate}:${whose}`,
      capacity: Math.max(1, Math.round(burst * factor)),
      perSecond: (perMinute * factor) / 60,
    }
  }

  /** The buckets of a client at its address, and of the address, so that made-up names are no way around the first. */
  function bucketsOf(kind: 'token' | 'failed-token', { clientId, address }: Requester): Bucket[] {
    const from = addressKey(address)
    // Anything may come as a name, and keys are short.
    const client = hashSecret(clientId)
    return [bucket(`${kind}-client`, `${client}:${from}`), bucket(`${kind}-address`, from)]
  }

  const take = (cost: number, buckets: Bucket[]) => limiter.take({ lease: '', cost, buckets, slots: [] })

  async function enter(buckets: Bucket[]): Promise<number | undefined> {
    const { refusedBy, retryAfterMs } = await take(1, buckets)
    return refusedBy === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1000))
  }

  return {
    authorization: (address) => enter([bucket('authorization', addressKey(address))]),

    async token(requester) {
      const failures = await take(0, bucketsOf('failed-token', requester))
      const spent = failures.limits.filter(({ remaining }) => remaining < 1)
      if (spent.length > 0) return Math.max(1, ...spent.map(({ moreInSeconds }) => moreInSeconds))
      return enter(bucketsOf('token', requester))
    },

    async failedToken(requester) {
      await take(1, bucketsOf('failed-token', requester))
    },
  }
}
