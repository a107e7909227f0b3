import { createPrivateKey, sign } from 'node:crypto'
import { createAuthenticator, loadSigningKeys, newSecret } from '@flamegate/auth'
import { createMemoryIdentity } from '@flamegate/auth/testing'
import type { MemoryIdentity } from '@flamegate/auth/testing'
import { newId } from '@flamegate/contract'
import type { Operation, Principal } from '@flamegate/contract'
import { createExecute, implementations } from '@flamegate/operations'
import type { CallOrigin, Execute } from '@flamegate/operations'
import type { AuditEvent, AuditStore } from '@flamegate/operations/ports'
import { memoryRateLimiter } from '@flamegate/queue'

/** What all processes of one run agree on, so that each believes what another one signed. */
export interface World {
  publicUrl: string
  apiUrl: string
  keys: Record<'jwks' | 'assertion', Record<string, unknown>[]>
}

/** Where the gateways say that they are. Nobody connects there: tokens and Host headers name it. */
export const publicUrl = 'http://localhost'

/** In whose name the gateways call. */
export const benchPrincipal: Principal = {
  userId: 'usr_bench',
  via: 'oauth',
  clientId: 'bench',
  clientName: 'Benchmark',
  scopes: ['read'],
  grantId: 'grant-bench',
}

export async function makeKeys(): Promise<World['keys']> {
  const identity = createMemoryIdentity()
  await (await createAuthenticator({ identity, issuer: publicUrl })).close()
  return {
    jwks: await identity.keys('jwks', madeAlready),
    assertion: await identity.keys('assertion', madeAlready),
  }
}

const madeAlready = (): Promise<never> => Promise.reject(new RangeError('The authenticator makes the keys'))

/** An identity store without a database, with the keys of this world. */
export async function identityOf({ keys }: World): Promise<MemoryIdentity> {
  const identity = createMemoryIdentity()
  const all = Object.entries(keys).flatMap(([kind, ofKind]) => ofKind.map((key) => ({ kind, key })))
  await Promise.all(all.map(({ kind, key }) => identity.addKey(kind, key, new Date(0))))
  return identity
}

/** An access token as the authorization server makes it: a JWT signed with ES256, for `/mcp`, for ten minutes. */
export async function makeAccessToken(world: World): Promise<string> {
  const [jwk] = await loadSigningKeys(await identityOf(world))
  if (!jwk) throw new RangeError('There is no key to sign with')
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: publicUrl,
    aud: `${publicUrl}/mcp`,
    sub: 'usr_bench',
    iat: now,
    exp: now + 600,
    scope: 'read',
    client_id: 'bench',
    client_name: 'Benchmark',
    gid: 'grant-bench',
  }
  const parts = [{ alg: 'ES256', typ: 'at+jwt', kid: jwk.kid }, claims]
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

/**
 * The real operations, without a database: `find_tools` needs none. Audit events are gathered and let go of half a
 * second later, as the real store does with reads, only that nothing is written.
 */
export function executeOf(world: World): {
  execute: Execute
  /** Records a call that was answered without `execute`. */
  audit: (operation: Operation, origin: CallOrigin) => Promise<void>
} {
  let gathered: AuditEvent[] = []
  setInterval(() => {
    gathered = []
  }, 500).unref()
  const store: AuditStore = {
    async record(event) {
      gathered.push(event)
    },
    isFull: () => false,
    search: async () => [],
  }
  const execute = createExecute(implementations, {
    // No call enters a workspace, whose plan would count.
    stores: onlyWith({ audit: store, plans: onlyWith({}) }),
    queue: onlyWith({}),
    queueDesk: onlyWith({}),
    storage: onlyWith({}),
    archiveLinks: onlyWith({}),
    profileAnalysis: onlyWith({}),
    profileWriter: onlyWith({}),
    correlating: onlyWith({}),
    virtualUserWriter: onlyWith({}),
    targets: onlyWith({}),
    sso: onlyWith({}),
    publicUrl: world.publicUrl,
    admins: [],
    pushedProfileDays: 7,
    validationDays: 30,
    guides: [],
    serverName: 'Flamegate',
    // Counted as in production, only that nobody ever runs out.
    limits: { limiter: memoryRateLimiter(), factor: 1_000_000 },
    auditKey: 'bench',
    send: () => Promise.reject(new RangeError('The benchmark goes nowhere')),
    postMessage: () => Promise.reject(new RangeError('The benchmark goes nowhere')),
    sendMail: () => Promise.reject(new RangeError('The benchmark goes nowhere')),
    sealing: onlyWith({}),
    githubApiUrl: '',
    newSecret: () => ({ secret: newSecret(), hash: '' }),
  })
  return {
    execute,
    audit: (operation, { principal: { userId, via, clientId, clientName }, requestId, ip }) =>
      store.record({
        id: newId('auditEvent'),
        workspaceId: null,
        userId,
        via,
        clientId,
        clientName,
        operation: operation.id,
        effect: operation.effect,
        target: null,
        argumentsDigest: null,
        decision: 'allowed',
        outcome: 'ok',
        status: 200,
        durationMs: 0,
        answerBytes: 0,
        requestId,
        traceId: null,
        ip,
        userAgent: null,
        at: new Date(),
      }),
  }
}

/** Something of which only these parts are there; asking for another one is a mistake of the benchmark. */
function onlyWith<T extends object>(parts: NoInfer<Partial<T>>): T {
  return new Proxy<T>(Object.create(null), {
    get(_target, name) {
      if (name in parts) return Reflect.get(parts, name)
      throw new RangeError(`The benchmark has no ${String(name)}`)
    },
  })
}
