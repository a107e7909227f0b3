import { outcome, text } from '../exchange.ts'
import type { Exchange, Sent } from '../exchange.ts'
import { clientsThat, failed, ok, warning } from '../finding.ts'
import type { Finding } from '../finding.ts'
import { initializeMessage, legacyHeaders, revisions } from './messages.ts'
import { endSession, sessionHeaders } from './session.ts'

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
  isReached: boolean
}

const asks = 'Without a token it answers 401'

/** Calls without a token by each of the methods that clients begin with, and with a token that is none. */
export async function checkUnauthenticated(send: Exchange, url: string): Promise<Unauthenticated> {
  const answer = await send({ method: 'POST', url, headers: legacyHeaders, body: initializeMessage })
  if (answer.status >= 200 && answer.status < 300) {
    await endSession(send, url, sessionHeaders(answer, revisions.legacy))
    const detail = 'It answers without a token, so there is nothing to log in to.'
    const findings = [ok('unauthenticated', asks, detail)]
    return { findings, challenge: undefined, isOpen: true, isReached: true }
  }
  if (answer.status !== 401) {
    const isReached = answer.status !== 0
    const findings = [isReached ? notAsking(answer) : notReached(answer)]
    return { findings, challenge: undefined, isOpen: false, isReached }
  }
  const challenge = readChallenge(answer.headers['www-authenticate'])
  const findings = [
    ok('unauthenticated', asks, 'POST was answered with 401.'),
    checkHeader(challenge, answer.headers['www-authenticate']),
    ...(await Promise.all([
      checkProbe(send, url, 'GET', clientsThat.probeWithGet),
      checkProbe(send, url, 'HEAD', clientsThat.probeWithHead),
      checkWrongToken(send, url),
    ])),
  ]
  return { findings, challenge, isOpen: false, isReached: true }
}

function notReached({ body }: Sent): Finding {
  return failed('reach', 'The server answers', {
    detail: body,
    advice: 'Check the address, the name and the certificate.',
    clients: clientsThat.everyone,
  })
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
      advice: 'Exchange: WWW-Authenticate: Bearer resource_metadata="…", scope="…".',
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
      clients: clientsThat.askForScopesOfResource,
    })
  }
  return ok('challenge', title, `Metadata at ${challenge.resourceMetadata}, scope ${challenge.scope}.`)
}

async function checkProbe(
  send: Exchange,
  url: string,
  method: 'GET' | 'HEAD',
  clients: readonly string[],
): Promise<Finding> {
  const check = `probe-${method.toLowerCase()}`
  const title = `${method} without a token answers 401, too`
  const answer = await send({ method, url, headers: { accept: 'text/event-stream' }, isProbe: true })
  const { status, headers } = answer
  if (status === 401 && readChallenge(headers['www-authenticate']) !== undefined) {
    return ok(check, title, `${method} was answered with 401 and a challenge.`)
  }
  return failed(check, title, {
    detail: `${method} ${outcome(answer)}${status === 401 ? ' without a Bearer challenge' : ''}.`,
    advice: 'Check the token before the method: some clients begin with this request and read the 401 there.',
    clients,
  })
}

async function checkWrongToken(send: Exchange, url: string): Promise<Finding> {
  const title = 'A token that is none is answered with 401'
  const answer = await send({
    method: 'POST',
    url,
    headers: { ...legacyHeaders, authorization: 'Bearer not-a-token' },
    body: initializeMessage,
    isProbe: true,
  })
  const { status, headers } = answer
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
    detail: `It ${outcome(answer)}.`,
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
