import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { BrowserlessPerson } from './browserless-person.ts'

const registrationSchema = z.object({ client_id: z.string() })
export const tokensSchema = z.object({ access_token: z.string(), refresh_token: z.string() })
export type Tokens = z.infer<typeof tokensSchema>

/** What an authorization brought back, with what is needed to redeem it. */
interface Authorized {
  back: URL
  verifier: string
}

/** The least that an OAuth client of our MCP endpoint does: it registers, logs in, refreshes and calls. */
export class TokenClient {
  readonly #url: string
  #clientId = ''
  readonly #redirectUri = 'http://127.0.0.1:48111/callback'

  constructor(url: string) {
    this.#url = url
  }

  /** Everything up to the first tokens. */
  async connect(person: BrowserlessPerson, name: string): Promise<Tokens> {
    const { back, verifier } = await this.authorize(person, name)
    const answer = await this.redeem(back, verifier)
    if (!answer.ok) throw new Error(`code: ${answer.status} ${await answer.text()}`)
    return tokensSchema.parse(await answer.json())
  }

  /** The same client asks for more, as after a refusal for want of a scope. */
  async stepUp(person: BrowserlessPerson, scope: string): Promise<Tokens> {
    const verifier = randomBytes(32).toString('base64url')
    const url = this.#authorizationUrl({ code_challenge: challengeOf(verifier), scope })
    const answer = await this.redeem(await person.allow(url, this.#redirectUri), verifier)
    return tokensSchema.parse(await answer.json())
  }

  async register(name: string): Promise<void> {
    const answer = await fetch(`${this.#url}/oauth/reg`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: name,
        redirect_uris: [this.#redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
      }),
    })
    if (answer.status !== 201) throw new Error(`registration: ${answer.status} ${await answer.text()}`)
    this.#clientId = registrationSchema.parse(await answer.json()).client_id
  }

  /** Registers, and lets the person allow it. */
  async authorize(person: BrowserlessPerson, name: string): Promise<Authorized> {
    await this.register(name)
    const verifier = randomBytes(32).toString('base64url')
    const url = this.#authorizationUrl({ code_challenge: challengeOf(verifier) })
    return { back: await person.allow(url, this.#redirectUri), verifier }
  }

  /** The page on which the person would decide about a new request of this client: its id. */
  async consentPage(person: BrowserlessPerson): Promise<string> {
    const verifier = randomBytes(32).toString('base64url')
    // A name of its own, so that nothing that was allowed before counts.
    await this.register(`Client ${verifier}`)
    return person.findConsent(this.#authorizationUrl({ code_challenge: challengeOf(verifier) }))
  }

  /** The answer to an authorization request with other parameters, or without some. */
  startAuthorization(changes: Record<string, string | undefined>, more = ''): Promise<Response> {
    const url = this.#authorizationUrl({ code_challenge: challengeOf('x'.repeat(43)), ...changes })
    return fetch(url + more, { redirect: 'manual' })
  }

  /** The answer of the token endpoint to a code. */
  redeem(back: URL, verifier: string): Promise<Response> {
    return this.#requestTokens({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: this.#redirectUri,
      ...(verifier === '' ? {} : { code_verifier: verifier }),
    })
  }

  /** The answer of the token endpoint to a refresh token. */
  refresh(refreshToken: string): Promise<Response> {
    return this.#requestTokens({ grant_type: 'refresh_token', refresh_token: refreshToken })
  }

  /** Calls a tool, at the public address or at that of one gateway. */
  call(accessToken: string, tool: string, at = this.#url, input: object = {}): Promise<Response> {
    return fetch(`${at}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: tool, arguments: input },
      }),
    })
  }

  #authorizationUrl(changes: Record<string, string | undefined>): string {
    const parameters = {
      response_type: 'code',
      client_id: this.#clientId,
      redirect_uri: this.#redirectUri,
      code_challenge_method: 'S256',
      state: 'state',
      scope: 'read',
      resource: `${this.#url}/mcp`,
      ...changes,
    }
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value)
    return `${this.#url}/oauth/authorize?${query.toString()}`
  }

  #requestTokens(parameters: Record<string, string>): Promise<Response> {
    return fetch(`${this.#url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...parameters, client_id: this.#clientId }),
    })
  }
}

/** RFC 7636, 4.2. */
function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
