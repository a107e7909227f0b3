import { ApiUnreachable } from '@flamegate/client'
import { z } from 'zod'
import { Refusal } from '../refusal.ts'

/** The log-in was refused or has ended. `message` says what to do, and is printed as it is. */
export class LogInRefused extends Refusal {
  override name = 'LogInRefused'
}

const clientId = 'flamegate-cli'
/** For everyday work; who allows it may give it more, or less. */
const scope = 'read write'
const timeoutMs = 30_000

const metadataSchema = z.object({
  issuer: z.string(),
  token_endpoint: z.url(),
  device_authorization_endpoint: z.url(),
  revocation_endpoint: z.url(),
})

const deviceSchema = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.number(),
  /** Seconds between questions: https://www.rfc-editor.org/rfc/rfc8628#section-3.2 */
  interval: z.number().default(5),
})

const tokensSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
})

const errorSchema = z.object({ error: z.string(), error_description: z.string().optional() })

export type DeviceAuthorization = z.output<typeof deviceSchema>
export type Tokens = z.output<typeof tokensSchema>
type OAuthError = z.output<typeof errorSchema>

/** What of the site a token is for: a token is good at one of them, and a log-in for both. */
export type Audience = 'v1' | 'mcp'

/** The authorization server at a URL, as far as a program without a browser uses it (RFC 8628). */
export interface AuthorizationServer {
  startDevice(): Promise<DeviceAuthorization>
  /** The tokens, or why there are none (yet). */
  askForTokens(deviceCode: string): Promise<Tokens | OAuthError>
  refresh(refreshToken: string, audience: Audience): Promise<Tokens | OAuthError>
  revoke(refreshToken: string): Promise<void>
}

/** @throws LogInRefused when something else is there, ApiUnreachable when nothing is */
export async function findAuthorizationServer(url: string): Promise<AuthorizationServer> {
  const metadata = await read(metadataSchema, await request(`${url}/.well-known/oauth-authorization-server`))
  const { issuer, token_endpoint, device_authorization_endpoint, revocation_endpoint } = metadata
  // Tokens are for the server under its own name; under another name somebody may only be passing it on.
  if (issuer !== url) throw new LogInRefused(`The server at ${url} calls itself ${issuer}: use that URL.`)
  const resourceOf = (audience: Audience) => `${url}/${audience}`

  return {
    async startDevice() {
      const resource = [resourceOf('v1'), resourceOf('mcp')]
      return read(deviceSchema, await post(device_authorization_endpoint, { scope, resource }))
    },
    askForTokens: (deviceCode) =>
      tokens({ grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: deviceCode }),
    refresh: (refreshToken, audience) =>
      tokens({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        resource: resourceOf(audience),
      }),
    async revoke(refreshToken) {
      await post(revocation_endpoint, { token: refreshToken })
    },
  }

  async function tokens(parameters: Record<string, string>): Promise<Tokens | OAuthError> {
    const answer = await post(token_endpoint, parameters)
    return answer.ok ? read(tokensSchema, answer) : read(errorSchema, answer)
  }
}

export function isRefused(answer: Tokens | OAuthError): answer is OAuthError {
  return 'error' in answer
}

function post(
  url: string,
  parameters: Readonly<Record<string, string | readonly string[]>>,
): Promise<Response> {
  const pairs = Object.entries({ client_id: clientId, ...parameters }).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  )
  return request(url, new URLSearchParams(pairs))
}

/** @throws LogInRefused when the answer is something else, such as the page of a proxy, or 429 */
async function read<Schema extends z.ZodType>(schema: Schema, answer: Response): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(await answer.json().catch(() => undefined))
  if (parsed.success) return parsed.data
  throw new LogInRefused(
    answer.status === 429
      ? `Too many log-ins from your address. Try again in ${answer.headers.get('retry-after')} seconds.`
      : `${new URL(answer.url).origin} does not answer as Flamegate does (${answer.status}): nobody can log in there.`,
  )
}

async function request(url: string, body?: URLSearchParams): Promise<Response> {
  const init: RequestInit = body === undefined ? {} : { method: 'POST', body }
  const headers = { accept: 'application/json', 'user-agent': clientId }
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(url, { ...init, headers, signal }).catch((cause: unknown) => {
    throw new ApiUnreachable('The server could not be reached.', { cause })
  })
  if (response.status < 500) return response
  throw new ApiUnreachable(`The server answered ${response.status}.`, { cause: undefined })
}
