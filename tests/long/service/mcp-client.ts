import type { AnswerOf, Operation, RawInputOf } from '@flamegate/contract'
import { Client, StreamableHTTPClientTransport, type OAuthDiscoveryState } from '@modelcontextprotocol/client'
import type { BrowserlessPerson } from '../../system/browserless-person.ts'
import { MemoryOAuthProvider } from '../../system/oauth-client.ts'

type AnyOperation = Pick<Operation, 'id'>

/** Nobody listens there: the person who allows it is asked where the browser was to go. */
const redirectUrl = 'http://127.0.0.1:48112/callback'
const callTimeoutMs = 60_000

/** A call that was not answered as it should: `limited` by a limit, `refused` for another reason of ours, or `failed`. */
export class CallFailure extends Error {
  readonly kind: 'limited' | 'refused' | 'failed'

  constructor(kind: CallFailure['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

/** Remembers besides where it logged in, as the SDK recommends. */
class Provider extends MemoryOAuthProvider {
  #discovered: OAuthDiscoveryState | undefined

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered
  }
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state
  }
}

/** A client of the official SDK, logged in by OAuth, that may read and write. */
export class McpClient {
  readonly name: string
  readonly #client: Client
  readonly #provider: Provider

  private constructor(name: string, client: Client, provider: Provider) {
    this.name = name
    this.#client = client
    this.#provider = provider
  }

  /** Registers, is allowed by the person to read and write, and connects. */
  static async connect(
    url: string,
    person: BrowserlessPerson,
    name: string,
    address: string,
  ): Promise<McpClient> {
    const provider = new Provider(redirectUrl, name)
    const at = new URL(`${url}/mcp`)
    const options = {
      authProvider: provider,
      fetch: (target: string | URL, init?: RequestInit) => {
        const headers = new Headers(init?.headers)
        headers.set('x-forwarded-for', address)
        return fetch(target, { ...init, headers })
      },
    }
    const newClient = () => new Client({ name, version: '1' }, { versionNegotiation: { mode: 'auto' } })
    const allow = async (transport: StreamableHTTPClientTransport) => {
      const back = await person.allow(provider.lastAuthorizationUrl().href, redirectUrl)
      provider.authorizationUrl = undefined
      await transport.finishAuth(back.searchParams)
    }
    const first = new StreamableHTTPClientTransport(at, options)
    await newClient()
      .connect(first)
      .catch(() => undefined)
    await allow(first)
    const client = newClient()
    const transport = new StreamableHTTPClientTransport(at, options)
    await client.connect(transport)
    // A project without a name is refused in any case, but for want of a scope first.
    await client.callTool({ name: 'create_project', arguments: {} }).catch(() => undefined)
    await allow(transport)
    return new McpClient(name, client, provider)
  }

  /**
   * Whether the person was sent to the browser since. The SDK does that too when a refresh was not answered; the tokens that
   * it has are as good as before.
   */
  takeSentToBrowser(): boolean {
    const wasSent = this.#provider.authorizationUrl !== undefined
    this.#provider.authorizationUrl = undefined
    return wasSent
  }

  /** @throws CallFailure */
  async call<O extends AnyOperation>(operation: O, input: RawInputOf<O>): Promise<AnswerOf<O>> {
    const result = await this.#client
      .callTool({ name: operation.id, arguments: { ...input } }, { timeout: callTimeoutMs })
      .catch((error: unknown) => {
        throw new CallFailure('failed', `${operation.id}: ${messageOf(error)}`, error)
      })
    if (result.isError === true || result.structuredContent === undefined) {
      const text = JSON.stringify(result.content)
      throw new CallFailure(kindOf(text), `${operation.id}: ${text.slice(0, 500)}`)
    }
    // Not read by its schema: the server did that on its way out.
    const answer: AnswerOf<O> = JSON.parse(JSON.stringify(result.structuredContent))
    return answer
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}

/** By the code of the problem, which is in the words of a refusal. */
function kindOf(text: string): CallFailure['kind'] {
  const [, code] = /\((\w+)\)\./.exec(text) ?? []
  if (code === 'rate_limited') return 'limited'
  return code === 'unavailable' || code === 'internal' || code === undefined ? 'failed' : 'refused'
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
