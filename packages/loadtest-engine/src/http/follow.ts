import type { ErrorClass } from '@flamegate/series'
import type { ReplayedExchange } from '../ports.ts'
import type { Received } from '../response/received.ts'
import type { Authorization, Credentials } from './authorization.ts'
import type { Answer, AskOptions, HttpClient } from './http-client.ts'
import { headerOf, withoutHeaders } from './request.ts'
import type { HttpRequestToSend } from './request.ts'
import type { Transport } from './transport.ts'

/** A 401 for one request is answered so many times: once for the challenge, once for a nonce that is too old. */
const challengesMax = 2

export interface FollowOptions extends Omit<AskOptions, 'transport'> {
  /** Null: redirects are answers. */
  redirectsMax: number | null
  transportTo: (url: URL) => Transport
  /** For an origin that has to be told who the user is. */
  credentialsFor: (url: URL) => Credentials | undefined
  authorization: Authorization
  signal: AbortSignal
}

/** A chain of requests, of which each but the last led to the next. */
export interface Followed {
  /** In the order in which they were sent; the last is the main one. */
  exchanges: Omit<ReplayedExchange, 'resourceId'>[]
  /** Answers, the newest first. Without the main one where that did not come. */
  received: Received[]
  /** Why there is no answer at the end; null where there is one. */
  failure: string | null
  /** Of the failure. */
  errorClass: ErrorClass
  isRenewed: boolean
  /** The first of them, and the last, as performance.now() tells it; null where none was. */
  sentAt: number | null
  answeredAt: number | null
  sentBytes: number
  receivedBytes: number
}

/** Sends a request, and goes where the answer leads: redirects, and challenges that can be answered. */
export async function follow(
  client: HttpClient,
  first: HttpRequestToSend,
  options: FollowOptions,
): Promise<Followed> {
  const followed: Followed = {
    exchanges: [],
    received: [],
    failure: null,
    errorClass: 'other',
    isRenewed: false,
    sentAt: null,
    answeredAt: null,
    sentBytes: 0,
    receivedBytes: 0,
  }
  let request = first
  let redirects = 0
  let challenges = 0
  for (;;) {
    const credentials = options.credentialsFor(request.url)
    const answer = await client.ask(authorized(request, credentials, options.authorization), {
      ...options,
      transport: options.transportTo(request.url),
    })
    options.signal.throwIfAborted()
    add(followed, answer)
    const { received } = answer
    if (received === null) {
      followed.failure = answer.exchange.error ?? 'No answer came.'
      followed.errorClass = answer.errorClass
      return followed
    }
    if (
      received.status === 401 &&
      credentials !== undefined &&
      headerOf(request.headers, 'authorization') === undefined &&
      challenges++ < challengesMax &&
      options.authorization.challenged(credentials, request, received.headersNamed('www-authenticate'))
    ) {
      mark(followed, 'challenge')
      continue
    }
    const location = received.header('location')
    if (options.redirectsMax === null || !isRedirect(received.status) || location === null) return followed
    if (redirects++ === options.redirectsMax) {
      followed.failure = `There were more than ${options.redirectsMax} redirects; the last leads to ${location}.`
      return followed
    }
    const url = redirectUrl(location, request.url.href)
    if (url === null) {
      followed.failure = `The redirect to ${location} cannot be followed: only http and https can. Switch redirects.follow off to take it as the answer.`
      return followed
    }
    mark(followed, 'redirect')
    request = redirected(request, url, received.status ?? 0)
    challenges = 0
  }
}

function add(followed: Followed, answer: Answer): void {
  const { exchange, isFromCache, isRenewed, received, sentBytes, receivedBytes } = answer
  followed.exchanges.push({ role: 'main', isFromCache, exchange })
  followed.isRenewed = isRenewed
  followed.sentAt ??= answer.sentAt
  followed.answeredAt = answer.answeredAt ?? followed.answeredAt
  if (received !== null) followed.received.unshift(received)
  followed.sentBytes += sentBytes
  followed.receivedBytes += receivedBytes
}

function mark(followed: Followed, role: 'redirect' | 'challenge'): void {
  const last = followed.exchanges.at(-1)
  if (last !== undefined) last.role = role
}

function authorized(
  request: HttpRequestToSend,
  credentials: Credentials | undefined,
  authorization: Authorization,
): HttpRequestToSend {
  if (credentials === undefined || headerOf(request.headers, 'authorization') !== undefined) return request
  const header = authorization.header(credentials, request)
  return header === undefined
    ? request
    : { ...request, headers: [...request.headers, ['authorization', header]] }
}

export function isRedirect(status: number | null): boolean {
  return status !== null && [301, 302, 303, 307, 308].includes(status)
}

/**
 * Where a redirect leads; null where it cannot be followed. A header is read as bytes, of which those beyond ASCII stand for
 * themselves in an address, in whatever encoding they are.
 */
export function redirectUrl(location: string, from: string): URL | null {
  const text = location.replaceAll(
    /[\x80-\xff]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  const url = URL.parse(text, from)
  return url !== null && /^https?:$/.test(url.protocol) ? url : null
}

/** The request that a redirect asks for (RFC 9110, 15.4), without what belongs to the first origin alone. */
export function redirected(
  { method, headers, url: from, body }: HttpRequestToSend,
  url: URL,
  status: number,
): HttpRequestToSend {
  const becomesGet =
    (status === 303 && method !== 'GET' && method !== 'HEAD') ||
    ((status === 301 || status === 302) && method === 'POST')
  const isSameOrigin = url.origin === from.origin
  const dropped = [
    ...(becomesGet ? ['content-.*', 'origin'] : []),
    ...(isSameOrigin ? [] : ['authorization', 'cookie', 'host', 'origin']),
  ]
  const target = new URL(url)
  target.hash = ''
  target.username = ''
  target.password = ''
  return {
    method: becomesGet ? 'GET' : method,
    url: target,
    headers:
      dropped.length === 0 ? headers : withoutHeaders(headers, new RegExp(`^(?:${dropped.join('|')})$`, 'i')),
    body: becomesGet ? null : body,
  }
}
