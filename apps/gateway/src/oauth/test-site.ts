import { hash, randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { createAuthenticator, hashPassword } from '@flamegate/auth'
import { createMemoryIdentity } from '@flamegate/auth/testing'
import type { MemoryIdentity } from '@flamegate/auth/testing'
import { Problem } from '@flamegate/contract'
import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { decodeJwt } from 'jose'
import { z } from 'zod'
import { accountRoutes } from '../accounts/account-routes.ts'
import { createWebSessions } from '../session/web-session.ts'
import type { FetchDocument } from './client-documents.ts'
import { createOAuth } from './create-oauth.ts'
import type { OAuthOptions } from './create-oauth.ts'

/** Everything below runs against a listening server on loopback, through `fetch`, as clients and browsers do. */
export interface TestSite {
  issuer: string
  identity: MemoryIdentity
  authenticator: Awaited<ReturnType<typeof createAuthenticator>>
  /** Stops the server and starts another one with the same storage. */
  restart(): Promise<void>
  /** Starts another process of the same site, with the same storage; gives its own address. */
  startAnother(): Promise<string>
  close(): Promise<void>
}

export const ada = { email: 'ada@example.com', password: 'correct horse', name: 'Ada Lovelace' }
export const bob = { email: 'bob@example.com', password: 'battery staple', name: 'Bob Martin' }

/** With two people, Ada and Bob. */
export async function startTestSite(
  fetchDocument: FetchDocument = refuseToFetch,
  options: Pick<OAuthOptions, 'clients' | 'limits' | 'registrationLimit'> = {},
): Promise<TestSite> {
  const port = await findFreePort()
  const issuer = `http://127.0.0.1:${port}`
  // Asked anew each time, so that a test may change the clock.
  const identity = createMemoryIdentity(() => Date.now())
  await addPerson(identity, 'usr_ada', ada)
  await addPerson(identity, 'usr_bob', bob)

  async function listen(at: number) {
    const app = fastify({ trustProxy: true })
    // A connection that is kept would be one to the server before a restart.
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('connection', 'close')
    })
    app.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof Problem)) return reply.send(error)
      const details = error.toDetails(`${issuer}/problems`)
      return reply.code(error.status).type('application/problem+json').send(details)
    })
    const sessions = createWebSessions(identity, issuer)
    const oauth = await createOAuth({ identity, issuer, sessions, fetchDocument, ...options })
    await app.register(oauth.plugin)
    await app.register(accountRoutes({ identity, sessions, siteUrl: issuer }))
    await app.listen({ host: '127.0.0.1', port: at })
    return app
  }

  let app = await listen(port)
  const others: FastifyInstance[] = []
  return {
    issuer,
    identity,
    authenticator: await createAuthenticator({ identity, issuer }),
    async restart() {
      await app.close()
      app = await listen(port)
    },
    async startAnother() {
      const other = await listen(0)
      others.push(other)
      return other.listeningOrigin
    },
    async close() {
      await Promise.all([app, ...others].map((each) => each.close()))
    },
  }
}

async function addPerson(identity: MemoryIdentity, id: string, person: typeof ada): Promise<void> {
  const { email, name, password } = person
  const workspace = { id: `ws_${id}`, slug: id, name }
  await identity.createUser({ id, email, name, passwordHash: await hashPassword(password) }, workspace)
}

const refuseToFetch: FetchDocument = async (url) => {
  throw new TypeError(`Nothing should be fetched, but ${url} was`)
}

export async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || !address) throw new TypeError('no TCP port')
  return address.port
}

/** A browser with cookies and without a screen. */
export interface Browser {
  /** Follows redirects on the site; gives the first answer that is none, or the URL elsewhere that it ends at. */
  visit(url: string): Promise<{ url: URL; response?: Response }>
  /** What a page of the site does with `fetch`. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  logIn(person: typeof ada): Promise<void>
  cookieNames(): string[]
}

export function openBrowser({ issuer }: TestSite): Browser {
  const cookies = new Map<string, { name: string; value: string; path: string }>()

  function keepCookies(response: Response): void {
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = cookie.split('; ')
      const [name = '', value = ''] = pair.split('=')
      const path =
        attributes.find((attribute) => attribute.toLowerCase().startsWith('path='))?.slice(5) ?? '/'
      const isGone = attributes.some((attribute) => /^max-age=0$|^expires=thu, 01 jan 1970/i.test(attribute))
      if (isGone) cookies.delete(`${name} ${path}`)
      else cookies.set(`${name} ${path}`, { name, value, path })
    }
  }

  async function request(url: URL, init: RequestInit = {}): Promise<Response> {
    const sent = [...cookies.values()].filter(
      ({ path }) => url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`),
    )
    const headers = new Headers(init.headers)
    headers.set('cookie', sent.map(({ name, value }) => `${name}=${value}`).join('; '))
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    keepCookies(response)
    return response
  }

  async function visit(url: string): Promise<{ url: URL; response?: Response }> {
    const here = new URL(url, issuer)
    if (here.origin !== issuer) return { url: here }
    const response = await request(here, { headers: { accept: 'text/html' } })
    const location = response.headers.get('location')
    return location === null ? { url: here, response } : visit(new URL(location, here).href)
  }

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    return request(new URL(path, issuer), {
      method,
      headers: {
        origin: issuer,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  }

  return {
    visit,
    call,
    async logIn({ email, password }) {
      const response = await call('POST', '/auth/log-in', { email, password })
      if (!response.ok) throw new Error(await response.text())
    },
    cookieNames: () => [...cookies.values()].map(({ name }) => name),
  }
}

const clientSchema = z.looseObject({
  client_id: z.string(),
  client_secret: z.string().optional(),
  redirect_uris: z.array(z.string()),
})

/** A registered OAuth client. */
export type TestClient = z.output<typeof clientSchema>

export const nativeClient = {
  client_name: 'An agent',
  redirect_uris: ['http://127.0.0.1:5000/callback'],
  token_endpoint_auth_method: 'none',
}

export const webClient = {
  client_name: 'A hosted agent',
  redirect_uris: ['https://agent.example/callback'],
  token_endpoint_auth_method: 'none',
}

export function register(
  { issuer }: TestSite,
  metadata: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${issuer}/oauth/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(metadata),
  })
}

export async function registerClient(
  site: TestSite,
  metadata: Record<string, unknown> = nativeClient,
): Promise<TestClient> {
  const response = await register(site, metadata)
  if (response.status !== 201) throw new Error(await response.text())
  return clientSchema.parse(await response.json())
}

/** An authorization request: where it starts, and the verifier to exchange its code with. */
export interface AuthorizationRequest {
  url: string
  verifier: string
  redirectUri: string
}

/** An undefined parameter is left out. */
export function requestAuthorization(
  site: TestSite,
  client: Pick<TestClient, 'client_id' | 'redirect_uris'>,
  parameters: Record<string, string | undefined> = {},
): AuthorizationRequest {
  const verifier = randomBytes(32).toString('base64url')
  const redirectUri = parameters['redirect_uri'] ?? client.redirect_uris[0] ?? ''
  const all = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
    state: 'state-1',
    scope: 'read',
    resource: `${site.issuer}/mcp`,
    ...parameters,
  }
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const url = `${site.issuer}/oauth/authorize?${new URLSearchParams(given).toString()}`
  return { url, verifier, redirectUri }
}

/** Goes through log-in (as `person`) and consent, wherever they are asked for; gives where the browser ends. */
export async function authorize(browser: Browser, start: string, person = ada): Promise<URL> {
  const { url } = await browser.visit(start)
  if (url.pathname === '/log-in') {
    await browser.logIn(person)
    return authorize(browser, `/oauth/interaction/${url.searchParams.get('interaction')}`, person)
  }
  if (url.pathname.startsWith('/consent/')) {
    const uid = url.pathname.slice('/consent/'.length)
    const answer = await browser.call('POST', `/auth/interactions/${uid}/allow`, {})
    return authorize(browser, await readRedirect(answer), person)
  }
  return url
}

/** Where the page goes after a decision. */
export async function readRedirect(decision: Response): Promise<string> {
  if (!decision.ok) throw new Error(await decision.text())
  return z.object({ redirect_to: z.string() }).parse(await decision.json()).redirect_to
}

const tokenSchema = z.looseObject({
  access_token: z.string().default(''),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
})

/** The answer of the token endpoint, also when it is an error. */
export type TokenAnswer = z.output<typeof tokenSchema> & { status: number }

export async function requestToken(
  site: TestSite,
  client: Pick<TestClient, 'client_id' | 'client_secret'>,
  parameters: Record<string, string>,
  address = site.issuer,
): Promise<TokenAnswer> {
  const body = new URLSearchParams({ client_id: client.client_id, ...parameters })
  if (client.client_secret) body.set('client_secret', client.client_secret)
  const response = await fetch(`${address}/oauth/token`, { method: 'POST', body })
  return { ...tokenSchema.parse(await response.json()), status: response.status }
}

export function refresh(
  site: TestSite,
  client: Pick<TestClient, 'client_id' | 'client_secret'>,
  tokens: Pick<TokenAnswer, 'refresh_token'>,
  parameters: Record<string, string> = {},
  address = site.issuer,
): Promise<TokenAnswer> {
  const { refresh_token = '' } = tokens
  return requestToken(site, client, { grant_type: 'refresh_token', refresh_token, ...parameters }, address)
}

export function exchange(
  site: TestSite,
  client: Pick<TestClient, 'client_id' | 'client_secret'>,
  request: AuthorizationRequest,
  answer: URL,
): Promise<TokenAnswer> {
  return requestToken(site, client, {
    grant_type: 'authorization_code',
    code: answer.searchParams.get('code') ?? '',
    code_verifier: request.verifier,
    redirect_uri: request.redirectUri,
  })
}

/** The whole way, from nothing to tokens. */
export async function connect(
  site: TestSite,
  client: TestClient,
  parameters: Record<string, string | undefined> = {},
  browser = openBrowser(site),
): Promise<TokenAnswer> {
  const request = requestAuthorization(site, client, parameters)
  return exchange(site, client, request, await authorize(browser, request.url))
}

/** The claims of a JWT, unverified. */
export function readClaims(token: string): Record<string, unknown> {
  return decodeJwt(token)
}

/** What a resource says about a token: the principal's scopes, or why not. */
export async function tryToken(
  { authenticator, issuer }: TestSite,
  token: string,
  path = '/mcp',
): Promise<string> {
  const answer = await authenticator.authenticate(
    { method: 'POST', authorization: `Bearer ${token}` },
    { audience: `${issuer}${path}` },
  )
  return 'principal' in answer ? answer.principal.scopes.join(' ') : answer.failure.description
}
