import { createSecretKey, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Principal } from '@flamegate/contract'
import type { IdentityStore } from '@flamegate/operations/ports'
import { errors, jwtVerify, SignJWT } from 'jose'
import { ExpiringCache } from './expiring-cache.ts'
import { createKeyRing } from './key-ring.ts'

/** The header in which the gateway tells the API who is calling. */
export const callerAssertionHeader = 'x-flamegate-caller'

/**
 * The gateway's word for who is calling, for one hop inside: a compact HS256 JWT with the principal, valid for a
 * minute. The client's own token is never passed on.
 */
export interface CallerAssertions {
  /** Signed anew at most every half minute for one and the same principal object. */
  sign(principal: Principal): Promise<string>
  /** Undefined when it is not ours or no longer valid. */
  verify(assertion: string): Promise<Principal | undefined>
}

const lifetimeMs = 60_000
const reusedForMs = 30_000
const algorithm = 'HS256'
const issuer = 'flamegate-gateway'
const audience = 'flamegate-api'

export async function createCallerAssertions(
  identity: Pick<IdentityStore, 'keys'>,
  now: () => number = Date.now,
): Promise<CallerAssertions> {
  const keys = await createKeyRing(() => loadAssertionKeys(identity), now)
  const signed = new WeakMap<Principal, { assertion: string; renewAtMs: number }>()
  const verified = new ExpiringCache<Principal>(10_000)

  return {
    async sign(principal) {
      const known = signed.get(principal)
      if (known && known.renewAtMs > now()) return known.assertion
      const { kid, key } = keys.current()
      const seconds = Math.floor(now() / 1000)
      const assertion = await new SignJWT({ principal })
        .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + lifetimeMs / 1000)
        .sign(key)
      signed.set(principal, { assertion, renewAtMs: now() + reusedForMs })
      return assertion
    },

    async verify(assertion) {
      const known = verified.get(assertion, now())
      if (known) return known
      try {
        const { payload } = await jwtVerify<{ principal: Principal }>(
          assertion,
          async ({ kid = '' }) => {
            const key = await keys.find(kid)
            if (!key) throw new errors.JWKSNoMatchingKey()
            return key
          },
          { algorithms: [algorithm], issuer, audience, currentDate: new Date(now()) },
        )
        verified.set(assertion, payload.principal, (payload.exp ?? 0) * 1000)
        return payload.principal
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined
        throw error
      }
    },
  }
}

async function loadAssertionKeys(
  identity: Pick<IdentityStore, 'keys'>,
): Promise<{ kid: string; key: KeyObject }[]> {
  const keys = await identity.keys('assertion', makeAssertionKey)
  return keys.map(({ kid, k }) => ({
    kid: String(kid),
    key: createSecretKey(Buffer.from(String(k), 'base64url')),
  }))
}

export async function makeAssertionKey(): Promise<Record<string, unknown>> {
  return { kid: randomBytes(12).toString('base64url'), k: randomBytes(32).toString('base64url') }
}
