import { text } from '../exchange.ts'
import type { Send, Sent } from '../exchange.ts'
import { clientsThat, failed, ok, warning } from '../finding.ts'
import type { Finding } from '../finding.ts'
import { initializeMessage, legacyHeaders } from './messages.ts'

/** What the 401 says: RFC 6750, 3 and RFC 9728, 5.1. */
export interface Challenge {
  resourceMetadata: string | undefined
  scope: string | undefined
  error: string | undefined
}

export interface Unauthenticated {
  findings: Finding[]
  /** Undefined when the server asks for no token, or in no way that clients understand. */
  challenge: Challenge | undefined
  /** Whether it answers without a token. */
  isOpen: boolean
}

const asks = 'Without a token it answers 401'

/** Calls without a token by each of the methods that clients begin with, and with a token that is none. */
export async function checkUnauthenticated(send: Send, url: string): Promise<Unauthenticated> {
  const answer = await send({ method: 'POST', url, headers: legacyHeaders, body: initializeMessage })
  if (answer.status >= 200 && answer.status < 300) {
    const detail = 'It answers without a token, so there is nothing to log in to.'
    return { findings: [ok('unauthenticated', asks, detail)], challenge: undefined, isOpen: true }
  }
  if (answer.status !== 401) return { findings: [notAsking(answer)], challenge: undefined, isOpen: false }
  const challenge = readChallenge(answer.headers['www-authenticate'])
  const findings = [
    ok('unauthenticated', asks, 'POST was answered with 401.'),
    checkHeader(challenge, answer.headers['www-authenticate']),
    await checkProbe(send, url, 'GET', clientsThat.probeWithGet),
    await checkProbe(send, url, 'HEAD', clientsThat.probeWithHead),
    await checkWrongToken(send, url),
  ]
  return { findings, challenge, isOpen: false }
}

function notAsking({ status, headers }: Sent): Finding {
  const location = headers['location']
  if (status >= 300 && status < 400 && location !== undefined) {
    return failed('unauthenticated', asks, {
      detail: `It redirects to ${location}.`,
      advice: 'Use the address that it redirects to: clients do not send their token along a redirect.',
      clients: clientsThat.everyone,
    })
  }
  const advice =
    status === 404
      ? 'Check the path: most servers have their endpoint at /mcp.'
      : 'Answer requests without a token with 401 and WWW-Authenticate before anything else is looked at.'
  return failed('unauthenticated', asks, {
    detail: `POST was answered with ${status}${headers['content-type']?.includes('html') ? ' and a web page' : ''}.`,
    advice,
    clients: clientsThat.everyone,
  })
}

function checkHeader(challenge: Challenge | undefined, header: string | undefined): Finding {
  const title = 'The 401 says where to log in'
  if (challenge === undefined) {
    return failed('challenge', title, {
      detail: header === undefined ? 'There is no WWW-Authenticate.' : `WWW-Authenticate is: ${header}`,
      advice: 'Send: WWW-Authenticate: Bearer resource_metadata="…", scope="…".',
      clients: clientsThat.everyone,
    })
  }
  if (challenge.resourceMetadata === undefined) {
    return warning('challenge', title, {
      detail: 'WWW-Authenticate has no resource_metadata.',
      advice:
        'Name the protected-resource metadata there (RFC 9728, 5.1); guessing its address costs requests.',
      clients: ['clients that look nowhere else'],
    })
  }
  if (challenge.scope === undefined) {
    return warning('challenge', title, {
      detail: 'WWW-Authenticate has no scope.',
      advice: 'Name the scopes to begin with: otherwise clients ask for all that the metadata lists.',
      clients: clientsThat.askForAllScopes,
    })
  }
  return ok('challenge', title, `Metadata at ${challenge.resourceMetadata}, scope ${challenge.scope}.`)
}

async function checkProbe(
  send: Send,
  url: string,
  method: 'GET' | 'HEAD',
  clients: readonly string[],
): Promise<Finding> {
  const check = `probe-${method.toLowerCase()}`
  const title = `${method} without a token answers 401, too`
  const { status, headers } = await send({ method, url, headers: { accept: 'text/event-stream' } })
  if (status === 401 && readChallenge(headers['www-authenticate']) !== undefined) {
    return ok(check, title, `${method} was answered with 401 and a challenge.`)
  }
  return failed(check, title, {
    detail: `${method} was answered with ${status}${status === 401 ? ' without a Bearer challenge' : ''}.`,
    advice: 'Check the token before the method: some clients begin with this request and read the 401 there.',
    clients,
  })
}

async function checkWrongToken(send: Send, url: string): Promise<Finding> {
  const title = 'A token that is none is answered with 401'
  const { status, headers } = await send({
    method: 'POST',
    url,
    headers: { ...legacyHeaders, authorization: 'Bearer not-a-token' },
    body: initializeMessage,
  })
  const challenge = readChallenge(headers['www-authenticate'])
  if (status === 401 && challenge?.error === 'invalid_token') {
    return ok('wrong-token', title, 'It was answered with 401 and invalid_token.')
  }
  if (status === 401) {
    return warning('wrong-token', title, {
      detail: 'The 401 does not say error="invalid_token".',
      advice: 'Say so (RFC 6750, 3.1): clients then know to refresh their token.',
      clients: ['clients that refresh only when told so'],
    })
  }
  return failed('wrong-token', title, {
    detail: `It was answered with ${status}.`,
    advice: 'Answer with 401: a client refreshes its token on nothing else and looks broken when it expires.',
    clients: clientsThat.everyone,
  })
}

/** The parameters of a Bearer challenge; undefined when there is none. */
export function readChallenge(header: string | undefined): Challenge | undefined {
  const scheme = /(?:^|,\s*)bearer(?:\s+|$)/i.exec(header ?? '')
  if (header === undefined || scheme === null) return undefined
  const parameters = new Map<string, string>()
  for (const [, name = '', quoted, plain] of header
    .slice(scheme.index + scheme[0].length)
    .matchAll(/([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g)) {
    parameters.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '')
  }
  return {
    resourceMetadata: text(parameters.get('resource_metadata')),
    scope: text(parameters.get('scope')),
    error: text(parameters.get('error')),
  }
}
