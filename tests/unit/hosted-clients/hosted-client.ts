import { hash, randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import type { CryptoKey } from 'jose'
import { z } from 'zod'
import type { BrowserlessPerson } from '../../system/browserless-person.ts'
import { serverMetadataSchema } from './profile.ts'
import type { Profile, ServerMetadata } from './profile.ts'

const resourceSchema = z.object({
  resource: z.string(),
  authorization_servers: z.tuple([z.url()], z.url()),
  scopes_supported: z.array(z.string()),
})
const tokensSchema = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number().positive(),
  refresh_token: z.string(),
})
const replySchema = z.object({ result: z.record(z.string(), z.unknown()) })

/** What it has learned of the server it was given. */
interface Discovery {
  resource: string
  server: ServerMetadata
  scopes: string[]
}

/** A refusal of `/mcp`, as far as clients read it. */
export interface Challenge {
  status: number
  error: string | undefined
  metadataUrl: string | undefined
}

/** A client that cannot be installed, which says on the wire what its profile says that it would. */
export class HostedClient {
  readonly #profile: Profile
  readonly #typedUrl: string
  readonly #signingKey: CryptoKey
  #discovery: Discovery | undefined
  #clientId = ''
  #tokens: z.output<typeof tokensSchema> | undefined
  #nextId = 0

  /** @param typedUrl the address that a person typed. @param signingKey of the key set that it publishes */
  constructor(profile: Profile, typedUrl: string, signingKey: CryptoKey) {
    this.#profile = profile
    this.#typedUrl = typedUrl
    this.#signingKey = signingKey
  }

  get clientId(): string {
    return this.#clientId
  }

  get accessToken(): string {
    return this.#tokens?.access_token ?? ''
  }

  /** From the first 401 to what must be asked for, and where. */
  async discover(): Promise<void> {
    const { resourceMetadata, serverMetadata, comparesResource } = this.#profile
    const { status, metadataUrl } = await this.challenge()
    if (status !== 401) throw new Error(`without a token: ${status}`)
    const typed = new URL(this.#typedUrl)
    const well = `${typed.origin}/.well-known/oauth-protected-resource`
    const addresses = { challenge: metadataUrl, path: well + typed.pathname, root: well }
    const found = await firstJson(resourceMetadata.map((place) => addresses[place]))
    const { resource, authorization_servers, scopes_supported } = resourceSchema.parse(found)
    if (comparesResource && new URL(resource).toString() !== typed.toString()) {
      throw new Error(`The metadata is about ${resource} and not about ${typed.href}`)
    }
    const [issuer] = authorization_servers
    const server = serverMetadataSchema.parse(await firstJson(serverMetadata.map((path) => issuer + path)))
    if (server.issuer !== issuer) throw new Error(`The issuer is ${server.issuer} and not ${issuer}`)
    if (!server.code_challenge_methods_supported.includes('S256')) throw new Error('There is no S256')
    this.#discovery = { resource, server, scopes: scopes_supported }
  }

  /** Finds out what it is called here: its document where that is taken, else what a registration answers. */
  async identify(): Promise<void> {
    const { server, scopes } = this.#known()
    const { document, registration } = this.#profile
    const takesDocuments =
      server.client_id_metadata_document_supported === true &&
      server.token_endpoint_auth_methods_supported.includes('none')
    if (document && takesDocuments) {
      this.#clientId = document.url
      return
    }
    const answer = await fetch(server.registration_endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(registration(server, scopes)),
    })
    if (answer.status !== 201) throw new Error(`registration: ${answer.status} ${await answer.text()}`)
    const { client_id, redirect_uris } = z
      .object({ client_id: z.string(), redirect_uris: z.array(z.string()) })
      .parse(await answer.json())
    const { redirect_uris: sent } = registration(server, scopes)
    if (JSON.stringify(redirect_uris) !== JSON.stringify(sent)) throw new Error('Redirects were changed')
    this.#clientId = client_id
  }

  /** Sends the person to the browser, and exchanges what comes back. */
  async logIn(person: BrowserlessPerson): Promise<void> {
    const { server, scopes } = this.#known()
    const { redirectUri, extraScopes, prompt } = this.#profile
    const verifier = randomBytes(32).toString('base64url')
    const state = randomBytes(8).toString('hex')
    const scope = extraScopes && [...scopes, ...extraScopes].join(' ')
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.#clientId,
      redirect_uri: redirectUri,
      code_challenge: hash('sha256', verifier, 'base64url'),
      code_challenge_method: 'S256',
      state,
      ...(scope === undefined ? {} : { scope }),
      ...(prompt === undefined ? {} : { prompt }),
      ...this.#resource(),
    })
    const back = await person.allow(`${server.authorization_endpoint}?${query.toString()}`, redirectUri)
    if (back.href.split('?')[0] !== redirectUri) throw new Error(`It came back to ${back.href}`)
    if (back.searchParams.get('state') !== state) throw new Error('The state is another one')
    const iss = back.searchParams.get('iss')
    if (server.authorization_response_iss_parameter_supported && iss !== server.issuer) {
      throw new Error(`The answer is of ${iss}`)
    }
    const answer = await this.#requestTokens({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: redirectUri,
    })
    if (!answer.ok) throw new Error(`code: ${answer.status} ${await answer.text()}`)
    this.#tokens = tokensSchema.parse(await answer.json())
  }

  /** Says hello as its revision asks for, lists the tools, and calls one. */
  async work(tool: string): Promise<{ tools: string[]; result: unknown }> {
    if (this.#isModern()) await this.#ask('server/discover', {})
    else {
      await this.#ask('initialize', { protocolVersion: this.#profile.revision, capabilities: {}, clientInfo })
      const noted = await this.#post({ jsonrpc: '2.0', method: 'notifications/initialized' })
      if (noted.status !== 202) throw new Error(`initialized: ${noted.status}`)
    }
    const { tools } = z
      .object({ tools: z.array(z.object({ name: z.string() })) })
      .parse(await this.#ask('tools/list', {}))
    return {
      tools: tools.map(({ name }) => name),
      result: await this.#ask('tools/call', { name: tool, arguments: {} }),
    }
  }

  /** Takes the new tokens if there are any; gives status and error of the answer. */
  async refresh(): Promise<{ status: number; error: string | undefined }> {
    const answer = await this.#requestTokens({
      grant_type: 'refresh_token',
      refresh_token: this.#tokens?.refresh_token ?? '',
    })
    const body: unknown = await answer.json()
    if (answer.ok) this.#tokens = tokensSchema.parse(body)
    const { error } = z.object({ error: z.string().optional() }).parse(body)
    return { status: answer.status, error }
  }

  /** What `/mcp` says to it now, with its token if it has one. */
  async challenge(): Promise<Challenge> {
    const { status, headers } = await this.#post(this.#message('tools/list', {}))
    const challenge = headers.get('www-authenticate') ?? ''
    const parameter = (name: string) => new RegExp(`[ ,]${name}="([^"]*)"`).exec(challenge)?.[1]
    return { status, error: parameter('error'), metadataUrl: parameter('resource_metadata') }
  }

  async #requestTokens(parameters: Record<string, string>): Promise<Response> {
    const { server } = this.#known()
    return fetch(server.token_endpoint, {
      method: 'POST',
      body: new URLSearchParams({
        ...parameters,
        client_id: this.#clientId,
        ...this.#resource(),
        ...(await this.#proof(server)),
      }),
    })
  }

  /** RFC 7523, 2.2, where its document names a key and the server takes it. */
  async #proof({ issuer, token_endpoint_auth_methods_supported: methods }: ServerMetadata): Promise<object> {
    const preferred = this.#profile.document?.metadata['token_endpoint_auth_method']
    if (preferred !== 'private_key_jwt' || !methods.includes('private_key_jwt')) return {}
    const assertion = await new SignJWT()
      .setProtectedHeader({ alg: 'RS256', kid: 'key-1' })
      .setIssuer(this.#clientId)
      .setSubject(this.#clientId)
      .setAudience(issuer)
      .setJti(randomBytes(16).toString('hex'))
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(this.#signingKey)
    return {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    }
  }

  #resource(): { resource?: string } {
    return this.#profile.sendsResource ? { resource: this.#known().resource } : {}
  }

  #known(): Discovery {
    if (!this.#discovery) throw new Error('It has not looked around yet')
    return this.#discovery
  }

  #isModern(): boolean {
    return this.#profile.revision === '2026-07-28'
  }

  async #ask(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>> {
    const answer = await this.#post(this.#message(method, params))
    const text = await answer.text()
    const json = text.startsWith('{') ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? '{}')
    if (answer.status !== 200) throw new Error(`${method}: ${answer.status} ${text}`)
    return replySchema.parse(JSON.parse(json)).result
  }

  #message(method: string, params: Record<string, unknown>): Message {
    const prefix = 'io.modelcontextprotocol/'
    const meta = {
      [`${prefix}protocolVersion`]: this.#profile.revision,
      [`${prefix}clientCapabilities`]: {},
      [`${prefix}clientInfo`]: clientInfo,
    }
    const id = ++this.#nextId
    return { jsonrpc: '2.0', id, method, params: this.#isModern() ? { ...params, _meta: meta } : params }
  }

  #post(message: Message): Promise<Response> {
    const name = message.params?.['name']
    return fetch(this.#typedUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(message.method === 'initialize' ? {} : { 'mcp-protocol-version': this.#profile.revision }),
        ...(this.#isModern() ? { 'mcp-method': message.method } : {}),
        ...(this.#isModern() && typeof name === 'string' ? { 'mcp-name': name } : {}),
        ...(this.#tokens ? { authorization: `Bearer ${this.#tokens.access_token}` } : {}),
      },
      body: JSON.stringify(message),
    })
  }
}

interface Message {
  jsonrpc: '2.0'
  id?: number
  method: string
  params?: Record<string, unknown>
}

const clientInfo = { name: 'emulator', version: '1' }

/** The first of these addresses that answers with JSON. */
async function firstJson(addresses: readonly (string | undefined)[]): Promise<unknown> {
  for (const address of addresses) {
    const answer = address === undefined ? undefined : await fetch(address)
    if (answer?.ok) return answer.json()
  }
  throw new Error(`Nothing at ${addresses.join(', ')}`)
}
