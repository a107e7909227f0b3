import { createHmac, createSecretKey, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Principal } from '@flamegate/contract'
import type { IdentityStore } from '@flamegate/operations/ports'
import { canonicalJson } from './canonical-json.ts'
import { ExpiringCache } from './expiring-cache.ts'
import { createKeyRing } from './key-ring.ts'

/** What is confirmed: this, with these arguments, by this person through this client, and nothing else. */
export interface ConfirmedCall {
  principal: Pick<Principal, 'userId' | 'clientId' | 'grantId'>
  operationId: string
  /** JSON; the order of its members does not matter. */
  input: unknown
}

/** Who says yes: the agent, by sending a token back; or the person, whom the client asks. */
export type ConfirmationWay = 'agent' | 'person'

/**
 * Tokens that come back with the call they were made for, within ten minutes. Nothing is stored for them: an HMAC
 * holds all that they are bound to, so that any process can check what another one made.
 *
 *     key id (4 characters) | base64url( expiry in seconds, uint32 | 6 random bytes | HMAC-SHA256, first 16 bytes )
 */
export interface Confirmations {
  issue(way: ConfirmationWay, call: ConfirmedCall): { token: string; expiresAt: Date }
  /** `other` when it was forged, or made for another call, person, client or way. */
  check(way: ConfirmationWay, token: string, call: ConfirmedCall): Promise<'good' | 'expired' | 'other'>
  /** The same, and in this process no second time: for what must not be done twice. */
  use(
    way: ConfirmationWay,
    token: string,
    call: ConfirmedCall,
  ): Promise<'good' | 'expired' | 'other' | 'used'>
}

const lifetimeS = 600
const keyIdBytes = 3
const keyIdLength = 4
const nonceBytes = 6
const macBytes = 16
const bodyBytes = 4 + nonceBytes + macBytes

export async function createConfirmations(
  identity: Pick<IdentityStore, 'keys'>,
  now: () => number = Date.now,
): Promise<Confirmations> {
  const keys = await createKeyRing(() => loadKeys(identity), now)
  const used = new ExpiringCache<true>(100_000)

  async function check(way: ConfirmationWay, token: string, call: ConfirmedCall) {
    const body = Buffer.from(token.slice(keyIdLength), 'base64url')
    const key = body.length === bodyBytes ? await keys.find(token.slice(0, keyIdLength)) : undefined
    if (key === undefined) return 'other'
    const head = body.subarray(0, -macBytes)
    if (!timingSafeEqual(macOf(key, head, way, call), body.subarray(-macBytes))) return 'other'
    return head.readUInt32BE() * 1000 > now() ? 'good' : 'expired'
  }

  return {
    issue(way, call) {
      const { kid, key } = keys.current()
      const expiresAtS = Math.floor(now() / 1000) + lifetimeS
      const head = Buffer.concat([Buffer.alloc(4), randomBytes(nonceBytes)])
      head.writeUInt32BE(expiresAtS)
      const body = Buffer.concat([head, macOf(key, head, way, call)])
      return { token: kid + body.toString('base64url'), expiresAt: new Date(expiresAtS * 1000) }
    },
    check,
    async use(way, token, call) {
      const verdict = await check(way, token, call)
      if (verdict !== 'good') return verdict
      // Texts that differ can be the same token (base64url leaves bits unused), so that its bytes are noted.
      const nonce = Buffer.from(token.slice(keyIdLength), 'base64url').toString('hex')
      if (used.get(nonce, now()) !== undefined) return 'used'
      used.set(nonce, true, now() + lifetimeS * 1000)
      return 'good'
    },
  }
}

function macOf(key: KeyObject, head: Buffer, way: ConfirmationWay, call: ConfirmedCall): Buffer {
  const { userId, clientId, grantId = null } = call.principal
  const digest = hash('sha256', canonicalJson(call.input), 'base64url')
  const bound = JSON.stringify([way, userId, clientId, grantId, call.operationId, digest])
  return createHmac('sha256', key).update(head).update(bound).digest().subarray(0, macBytes)
}

async function loadKeys(identity: Pick<IdentityStore, 'keys'>): Promise<{ kid: string; key: KeyObject }[]> {
  const keys = await identity.keys('confirmation', makeConfirmationKey)
  return keys.map(({ kid, k }) => ({
    kid: String(kid),
    key: createSecretKey(Buffer.from(String(k), 'base64url')),
  }))
}

export async function makeConfirmationKey(): Promise<Record<string, unknown>> {
  return { kid: randomBytes(keyIdBytes).toString('base64url'), k: randomBytes(32).toString('base64url') }
}
