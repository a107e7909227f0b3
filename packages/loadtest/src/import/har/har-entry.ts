import { decodeEntities } from '../../correlate/html-tags.ts'
import { type JsonObject, asList, asObject } from '../../json/json-values.ts'
import type { Exchange, ExchangeHeader, ExchangeResponse, ExchangeTimings } from '../../recording/exchange.ts'
import { mimeTypeOf, readContent, readSentBody } from './har-body.ts'
import { amountOf, textOf } from './har-values.ts'
import { shownAddress } from './passwords.ts'

/** An entry of a HAR, as far as it is of use after its exchange was kept. */
export interface HarEntry {
  /** Of `log.entries`, from 0. */
  index: number
  place: string
  method: string
  url: URL
  /** Milliseconds since 1970; those of the entry before where it tells none. */
  startMs: number
  endMs: number
  pageId: string | null
  headers: readonly ExchangeHeader[]
  httpVersion: string | null
  /** As Chrome and Playwright call it: `document`, `xhr`, `stylesheet`. */
  resourceType: string | null
  /** Null where no answer came. */
  status: number | null
  error: string | null
  /** What asked for it, as Chrome calls it: `parser`, `script`. */
  initiator: string | null
  /** Of what came back. */
  mimeType: string | null
  /** Of the page that came back, as it was sent. */
  title: string | null
  /** Where the answer led to. */
  redirectUrl: string | null
  isFromServiceWorker: boolean
  messages: readonly unknown[]
}

/** Reads an entry that has an address; its answer is in the exchange alone, which is not held. */
export function readEntry(
  value: JsonObject,
  url: URL,
  { index, place, startMs: previousMs }: { index: number; place: string; startMs: number },
): { entry: HarEntry; exchange: Exchange } {
  const request = asObject(value['request'])
  const answer = asObject(value['response'])
  const startMs = Date.parse(textOf(value['startedDateTime']) ?? '')
  const isKnown = Math.abs(startMs) < 8.64e15
  const timings = readTimings(value)
  const response = readResponse(answer)
  const exchange: Exchange = {
    startedAt: new Date(isKnown ? startMs : previousMs).toISOString(),
    request: {
      method: (textOf(request['method']) ?? 'GET').toUpperCase(),
      url: (textOf(request['url']) ?? '').replace(/#.*$/s, ''),
      httpVersion: httpVersionOf(request['httpVersion']),
      headers: readHeaders(request['headers']),
      body: readSentBody(asObject(request['postData']), amountOf(request['bodySize'])),
    },
    response,
    error: response === null ? errorOf(value, answer) : null,
    timings,
    remoteAddress: addressOf(value),
  }
  const entry: HarEntry = {
    index,
    place,
    method: exchange.request.method,
    url,
    startMs: Date.parse(exchange.startedAt),
    endMs: Date.parse(exchange.startedAt) + timings.totalMs,
    pageId: textOf(value['pageref']),
    headers: exchange.request.headers,
    httpVersion: response?.httpVersion ?? exchange.request.httpVersion,
    resourceType: textOf(value['_resourceType'])?.toLowerCase() ?? null,
    status: response?.status ?? null,
    error: exchange.error,
    initiator: textOf(asObject(value['_initiator'])['type']),
    mimeType: response === null ? null : mimeTypeOf(asObject(answer['content'])['mimeType']),
    title: titleOf(response),
    redirectUrl: redirectOf(answer, response, url),
    isFromServiceWorker: value['_fetchedViaServiceWorker'] === true,
    messages: asList(value['_webSocketMessages']),
  }
  return { entry, exchange }
}

/** What the entry is about, for people. */
export function nameOf({ method, url }: Pick<HarEntry, 'method' | 'url'>): string {
  return `${method} ${shownAddress(url)}`.slice(0, 200)
}

/** The page that it was asked on, without fragment. */
export function refererOf(entry: HarEntry): string | undefined {
  return URL.parse(headerOf(entry, 'referer') ?? '')?.href.replace(/#.*$/s, '')
}

/** Its address without fragment. */
export function withoutFragment({ url }: HarEntry): string {
  return url.href.replace(/#.*$/s, '')
}

/** @param wanted in lower case */
export function headerOf({ headers }: HarEntry, wanted: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value
}

/** So far into a page its title is looked for, in characters. */
const headCharacters = 50_000

function titleOf(response: ExchangeResponse | null): string | null {
  const body = response?.body
  if (body?.content == null || body.encoding !== 'text' || !/html/i.test(body.contentType ?? '')) return null
  const title = /<title\b[^>]{0,200}>([^<]{1,500})/i.exec(body.content.slice(0, headCharacters))?.[1]
  return title === undefined ? null : decodeEntities(title).replaceAll(/\s+/g, ' ').trim() || null
}

function readResponse(answer: JsonObject): ExchangeResponse | null {
  const status = amountOf(answer['status'])
  // Aborted, blocked, or still under way at the end.
  if (status === null || status === 0) return null
  return {
    status,
    statusText: textOf(answer['statusText']) ?? '',
    httpVersion: httpVersionOf(answer['httpVersion']),
    headers: readHeaders(answer['headers']),
    body: readContent(asObject(answer['content']), amountOf(answer['bodySize'])),
  }
}

/** Those that begin with a colon are how HTTP/2 sends method and address. */
function readHeaders(value: unknown): ExchangeHeader[] {
  return asList(value).flatMap((each) => {
    const header = asObject(each)
    const name = textOf(header['name'])
    return name === null || name.startsWith(':') ? [] : [{ name, value: textOf(header['value']) ?? '' }]
  })
}

/** In a HAR, `connect` holds `ssl`. */
function readTimings(value: JsonObject): ExchangeTimings {
  const timings = asObject(value['timings'])
  const connected = amountOf(timings['connect'])
  const tlsMs = amountOf(timings['ssl'])
  const phases = {
    blockedMs: amountOf(timings['blocked']),
    dnsMs: amountOf(timings['dns']),
    connectMs: connected && Math.max(0, microseconds(connected - (tlsMs ?? 0))),
    tlsMs,
    sendMs: amountOf(timings['send']),
    firstByteMs: amountOf(timings['wait']),
    downloadMs: amountOf(timings['receive']),
  }
  const sum = Object.values(phases).reduce<number>((all, phase) => all + (phase ?? 0), 0)
  return { ...phases, totalMs: Math.min(amountOf(value['time']) ?? microseconds(sum), totalMsMax) }
}

// A year: what is longer is no time, and of its end no date could be told.
const totalMsMax = 31_536_000_000

function microseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000
}

function httpVersionOf(value: unknown): string | null {
  const text = textOf(value)
  return text === 'unknown' ? null : text
}

function errorOf(value: JsonObject, answer: JsonObject): string {
  const told = textOf(answer['_error']) ?? textOf(answer['_failureText']) ?? textOf(value['_error']) ?? null
  return told?.slice(0, 500) ?? 'The browser got no answer.'
}

function addressOf(value: JsonObject): string | null {
  // WebPageTest and Chrome put brackets around those of IPv6, others do not.
  const address = textOf(value['serverIPAddress'])?.replace(/^\[(.*)\]$/, '$1') ?? null
  const port = amountOf(value['_serverPort'])
  if (address === null || port === null) return address
  return `${address.includes(':') ? `[${address}]` : address}:${port}`
}

function redirectOf(answer: JsonObject, response: ExchangeResponse | null, url: URL): string | null {
  if (response === null || ![301, 302, 303, 307, 308].includes(response.status)) return null
  const location =
    response.headers.find(({ name }) => name.toLowerCase() === 'location')?.value ??
    textOf(answer['redirectURL'])
  return URL.parse(location ?? '', url.href)?.href.replace(/#.*$/s, '') ?? null
}
