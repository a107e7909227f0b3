import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { exportJWK, generateKeyPair } from 'jose'
import { portOf } from '../test-port.ts'

/** Somebody as an issuer knows them. */
export interface IssuerAccount {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
}

/** An OpenID provider of somebody else, on loopback, at which `account` is logged in. */
export interface TestIssuer {
  issuer: string
  clientId: string
  clientSecret: string
  /** Whoever sits at the browser from now on. */
  account: IssuerAccount
  /** Goes there as a browser does, and gives where it is sent back to. */
  visit(url: string): Promise<URL>
  close(): Promise<void>
}

export async function startTestIssuer(redirectUri: string): Promise<TestIssuer> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${portOf(server)}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const at: TestIssuer = {
    issuer,
    clientId: 'flamegate',
    clientSecret: 'hush-hush-hush-hush',
    account: { sub: 'nobody' },
    async visit(url) {
      const cookies = new Map<string, string>()
      let next = new URL(url)
      while (next.origin === issuer) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(next, { headers: { cookie }, redirect: 'manual' })
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        const location = response.headers.get('location')
        if (location === null) throw new Error(`${next.href} answered ${await response.text()}`)
        next = new URL(location, next)
      }
      return next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  const provider = new Provider(issuer, {
    clients: [{ client_id: at.clientId, client_secret: at.clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    adapter: memoryAdapter,
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    cookies: { keys: ['test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ ...at.account, sub }) }),
    // Everybody has agreed to everything.
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) void answer(request, response)
    else void provider.interactionFinished(request, response, { login: { accountId: at.account.sub } })
  })
  return at
}

/** Storage of one model, for as long as the test lasts. */
function memoryAdapter(): Adapter {
  const records = new Map<string, AdapterPayload>()
  return {
    upsert: async (id, payload) => void records.set(id, payload),
    find: async (id) => records.get(id),
    findByUid: async (uid) => [...records.values()].find((payload) => payload.uid === uid),
    findByUserCode: async () => undefined,
    consume: async (id) => void records.set(id, { ...records.get(id), consumed: 1 }),
    destroy: async (id) => void records.delete(id),
    revokeByGrantId: async () => {},
  }
}
