import { createHash, randomBytes } from 'node:crypto'
import { outcome } from '../exchange.ts'
import type { Exchange, Sent } from '../exchange.ts'
import { clientsThat, failed, ok } from '../finding.ts'
import type { Finding } from '../finding.ts'
import type { AuthorizationServer } from './authorization-server.ts'

/** An authorization request with what is needed to redeem its answer (RFC 6749, 4.1.1 and RFC 7636). */
export interface AuthorizationRequest {
  url: string
  state: string
  verifier: string
  redirectUri: string
}

export interface AuthorizationParameters {
  server: AuthorizationServer
  clientId: string
  redirectUri: string
  resource: string | undefined
  scope: string | undefined
}

export function authorizationRequest(parameters: AuthorizationParameters): AuthorizationRequest {
  const { server, clientId, redirectUri, resource, scope } = parameters
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(16).toString('base64url')
  const url = new URL(server.authorizationEndpoint)
  url.searchParams.set('response_type', 'code')
  url.searchParams.set('client_id', clientId)
  url.searchParams.set('redirect_uri', redirectUri)
  url.searchParams.set('code_challenge', createHash('sha256').update(verifier).digest('base64url'))
  url.searchParams.set('code_challenge_method', 'S256')
  url.searchParams.set('state', state)
  if (resource !== undefined) url.searchParams.set('resource', resource)
  if (scope !== undefined) url.searchParams.set('scope', scope)
  return { url: url.href, state, verifier, redirectUri }
}

/**
 * Begins a log-in as clients do, up to the page where a person would go on: with everything, and as the clients do
 * that leave out what the specification lets them.
 */
export async function checkAuthorizationRequests(
  send: Exchange,
  parameters: AuthorizationParameters,
): Promise<Finding[]> {
  const requests = [
    { what: 'A log-in begins', clients: clientsThat.everyone, parameters },
    {
      what: 'A log-in begins from any port of a computer',
      clients: clientsThat.comeBackToAnyPort,
      parameters: { ...parameters, redirectUri: onAnotherPort(parameters.redirectUri) },
    },
    {
      what: 'A log-in begins without resource',
      clients: clientsThat.leaveOutResource,
      parameters: { ...parameters, resource: undefined },
    },
    {
      what: 'A log-in begins without scope',
      clients: ['clients that name no scope'],
      parameters: { ...parameters, scope: undefined },
    },
  ]
  return Promise.all(
    requests.map(async ({ what, clients, parameters: each }) => {
      const request = authorizationRequest(each)
      const answer = await send({
        method: 'GET',
        url: request.url,
        headers: { accept: 'text/html' },
        isProbe: true,
      })
      const problem = whyRefused(answer, request)
      if (problem === undefined)
        return ok('authorization-request', what, 'A person would see the log-in page now.')
      const advice =
        'Accept it, with sensible defaults for what is left out; loopback ports vary (RFC 8252, 7.3).'
      return failed('authorization-request', what, { detail: problem, advice, clients })
    }),
  )
}

/** What is registered is a port that happened to be free. */
function onAnotherPort(redirectUri: string): string {
  const url = new URL(redirectUri)
  url.port = url.port === '49321' ? '49322' : '49321'
  return url.href
}

function whyRefused(answer: Sent, { redirectUri }: AuthorizationRequest): string | undefined {
  const { status, headers } = answer
  const location = headers['location']
  if (status === 200) return undefined
  if (status < 300 || status >= 400 || location === undefined) return `It ${outcome(answer)}.`
  if (!location.startsWith(redirectUri)) return undefined
  const error = URL.parse(location)?.searchParams
  return `The client was sent ${error?.get('error') ?? 'an answer'}: ${error?.get('error_description') ?? ''}`.trim()
}
