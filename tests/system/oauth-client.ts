import { EventEmitter, once } from 'node:events'
import { createServer, type Server } from 'node:http'

interface RegisteredClient {
  client_id: string
}

interface Tokens {
  access_token: string
  token_type: string
  refresh_token?: string | undefined
}

/**
 * What an MCP client keeps while it connects: both official SDKs ask for the same things of their
 * `OAuthClientProvider`. The redirect lands on a loopback server, as with every client on a desktop.
 */
export class MemoryOAuthProvider {
  readonly redirectUrl: string
  readonly clientMetadata
  /** Where the person has to go, as the SDK asked. */
  authorizationUrl: URL | undefined
  #client: RegisteredClient | undefined
  #tokens: Tokens | undefined
  #verifier = ''

  constructor(redirectUrl: string, name: string) {
    this.redirectUrl = redirectUrl
    this.clientMetadata = {
      client_name: name,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }

  clientInformation(): RegisteredClient | undefined {
    return this.#client
  }
  saveClientInformation(information: RegisteredClient): void {
    this.#client = information
  }
  tokens(): Tokens | undefined {
    return this.#tokens
  }
  saveTokens(tokens: Tokens): void {
    this.#tokens = tokens
  }
  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url
  }
  lastAuthorizationUrl(): URL {
    if (this.authorizationUrl === undefined) throw new Error('The client was not sent to the browser.')
    return this.authorizationUrl
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }
  codeVerifier(): string {
    return this.#verifier
  }
}

/** A loopback address that waits for codes. `next` is what the next redirect brings. */
export async function listenForRedirect(): Promise<{
  url: string
  next: () => Promise<URLSearchParams>
  server: Server
}> {
  const arrivals = new EventEmitter()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    response.setHeader('content-type', 'text/html').end('<h1>You can close this window.</h1>')
    if (url.pathname === '/callback') arrivals.emit('redirect', url.searchParams)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const next = async (): Promise<URLSearchParams> => {
    const [query]: URLSearchParams[] = await once(arrivals, 'redirect')
    return query ?? new URLSearchParams()
  }
  return { url: `http://127.0.0.1:${port}/callback`, next, server }
}
