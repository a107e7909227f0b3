import { Agent, errors, request } from 'undici'
import type { Dispatcher } from 'undici'
import { checkLiteralAddress, guardedLookup } from './address-policy.ts'
import type { AddressPolicy, Resolver } from './address-policy.ts'
import { OutboundRefused } from './outbound-refused.ts'
import { readBody } from './read-body.ts'

export interface GuardedRequest {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** Limit of the answer, on the wire and decompressed. */
  maxBytes: number
  /** For everything together: names, connections, redirects, the whole body. */
  timeoutMs: number
  /** Shown each piece of the body, an empty one first; true ends the exchange there. */
  isEnough?: (headers: GuardedResponse['headers'], piece: Uint8Array, status: number) => boolean
  /** 0 gives a redirect back as the answer it is. */
  maxRedirects?: number
  allowedSchemes?: readonly ('https' | 'http')[]
  /** Only for tests and single-machine set-ups; comes from the configuration, never from a user. */
  allowLoopback?: boolean
  /** Further addresses that the configuration lets through. */
  allows?: ((address: string) => boolean) | undefined
  /** Instead of the system's resolver. */
  resolve?: Resolver
}

export interface GuardedResponse {
  status: number
  /** Lower-case names; a header that came more than once is joined by commas. */
  headers: Readonly<Record<string, string>>
  /** Where the answer came from, after redirects. */
  url: string
  body: Uint8Array
}

/** One request of a chain of redirects. */
interface Hop {
  url: URL
  method: Dispatcher.HttpMethod
  headers: Readonly<Record<string, string>>
  body: string | Uint8Array | undefined
}

/** They frame the message or speak to proxies; undici sets the ones that are needed. */
const headersOfTheConnection =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|keep-alive|expect|proxy-.*)$/i

/** Everything else may carry a credential, whatever its name, and stays with the origin that it was meant for. */
const headersForAnyOrigin = /^(?:accept|accept-language|user-agent|content-type)$/i

/**
 * Fetches a URL that somebody else chose, without letting them reach our network, fill our memory or keep us waiting.
 * Every address is checked at the moment of connecting, on every hop. Nothing is kept alive or remembered in between.
 * @throws OutboundRefused, and nothing else, when the other side or the rules are the reason.
 */
export async function guardedFetch(url: string, options: GuardedRequest): Promise<GuardedResponse> {
  const policy: AddressPolicy = {
    allowLoopback: options.allowLoopback ?? false,
    allows: options.allows,
    resolve: options.resolve,
  }
  const badHeader = Object.keys(options.headers ?? {}).find((name) => headersOfTheConnection.test(name))
  if (badHeader !== undefined) {
    throw new OutboundRefused('header_not_allowed', `The header ${JSON.stringify(badHeader)} cannot be set.`)
  }
  const agent = new Agent({
    connect: { lookup: guardedLookup(policy), timeout: options.timeoutMs },
    // Compressed or not, no header block of an honest server is larger.
    maxHeaderSize: 32_768,
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
  })
  const timeout = AbortSignal.timeout(options.timeoutMs)
  try {
    const first: Hop = {
      url: checkedUrl(url, undefined, options, policy),
      method: options.method ?? 'GET',
      headers: options.headers ?? {},
      body: options.body,
    }
    // A resolver or a handshake that hangs ignores the signal; the race does not.
    return await Promise.race([follow(first, options, policy, agent, timeout, 0), rejectOn(timeout)])
  } catch (error) {
    throw asRefusal(error, timeout)
  } finally {
    // Ends the sockets that are still open, such as that of a body nobody wants any more.
    void agent.destroy()
  }
}

async function follow(
  hop: Hop,
  options: GuardedRequest,
  policy: AddressPolicy,
  agent: Agent,
  signal: AbortSignal,
  redirects: number,
): Promise<GuardedResponse> {
  const answer = await request(hop.url, {
    dispatcher: agent,
    method: hop.method,
    headers: { 'accept-encoding': 'gzip, deflate, br', ...hop.headers },
    body: hop.body,
    signal,
  })
  // Whoever reads the body gets its error from reading. Without a listener, breaking off unread would crash us.
  answer.body.on('error', () => {})
  const maxRedirects = options.maxRedirects ?? 3
  const location = headerText(answer.headers['location'])
  if (maxRedirects > 0 && [301, 302, 303, 307, 308].includes(answer.statusCode) && location !== undefined) {
    answer.body.destroy()
    if (redirects >= maxRedirects) {
      throw new OutboundRefused('too_many_redirects', `There were more than ${maxRedirects} redirects.`)
    }
    const next = checkedUrl(location, hop.url, options, policy)
    return follow(redirected(hop, next, answer.statusCode), options, policy, agent, signal, redirects + 1)
  }
  const hasBody = hop.method !== 'HEAD'
  const encoding = hasBody ? headerText(answer.headers['content-encoding']) : undefined
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name, headerText(value) ?? '']),
  )
  const isEnough = (piece: Uint8Array) => options.isEnough?.(headers, piece, answer.statusCode) === true
  return {
    status: answer.statusCode,
    headers,
    url: hop.url.href,
    body: await readBody(answer.body, encoding, options.maxBytes, isEnough),
  }
}

/** The request that a redirect asks for (RFC 9110, 15.4), without what belongs to the first origin alone. */
function redirected(hop: Hop, url: URL, status: number): Hop {
  const becomesGet =
    (status === 303 && hop.method !== 'HEAD') || ((status === 301 || status === 302) && hop.method === 'POST')
  const isSameOrigin = url.origin === hop.url.origin
  const headers = Object.entries(hop.headers).filter(
    ([name]) => (isSameOrigin || headersForAnyOrigin.test(name)) && !(becomesGet && /^content-/i.test(name)),
  )
  return {
    url,
    method: becomesGet ? 'GET' : hop.method,
    headers: Object.fromEntries(headers),
    body: becomesGet ? undefined : hop.body,
  }
}

function checkedUrl(
  text: string,
  base: URL | undefined,
  options: GuardedRequest,
  policy: AddressPolicy,
): URL {
  const url = URL.parse(text, base?.href)
  if (!url) throw new OutboundRefused('invalid_url', 'This is not a valid URL.')
  const allowed = options.allowedSchemes ?? ['https']
  if (!allowed.some((scheme) => url.protocol === `${scheme}:`)) {
    throw new OutboundRefused('scheme_not_allowed', `Only ${allowed.join(' and ')} URLs can be fetched.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundRefused('credentials_in_url', 'The URL must not carry a user name or password.')
  }
  checkLiteralAddress(url.hostname, policy)
  return url
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(timedOut()), { once: true })
  })
}

function timedOut(cause?: unknown): OutboundRefused {
  return new OutboundRefused('timed_out', 'The other side took too long.', { cause })
}

function asRefusal(error: unknown, timeout: AbortSignal): unknown {
  const refusal = findRefusal(error)
  if (refusal) return refusal
  if (timeout.aborted || isTimeout(error)) return timedOut(error)
  // Our own mistakes stay what they are; everything that undici or a socket says is about the other side.
  if (error instanceof errors.UndiciError && !(error instanceof errors.InvalidArgumentError))
    return unreachable(error)
  if (error instanceof AggregateError || (error instanceof Error && 'code' in error))
    return unreachable(error)
  return error
}

function unreachable(cause: unknown): OutboundRefused {
  return new OutboundRefused('unreachable', 'The other side could not be reached or broke off.', { cause })
}

/** Sockets wrap what a lookup threw, or leave it as it is, or collect several. */
function findRefusal(error: unknown): OutboundRefused | undefined {
  if (error instanceof OutboundRefused) return error
  if (error instanceof AggregateError)
    return error.errors.map(findRefusal).find((found) => found !== undefined)
  return error instanceof Error && error.cause !== undefined ? findRefusal(error.cause) : undefined
}

function isTimeout(error: unknown): boolean {
  return (
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    error instanceof errors.ConnectTimeoutError
  )
}
