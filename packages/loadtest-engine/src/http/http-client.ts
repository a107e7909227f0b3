import type { Exchange, ExchangeHeader, Redactor } from '@flamegate/loadtest'
import type { ErrorClass } from '@flamegate/series'
import { ActionFailure } from '../action-failure.ts'
import type { TargetGate } from '../ports.ts'
import { Received } from '../response/received.ts'
import { HttpCache } from './cache.ts'
import type { CachedAnswer } from './cache.ts'
import { destinationOf } from './connect.ts'
import { ConnectFailed } from './connect-failed.ts'
import type { ConnectTimings } from './connect-failed.ts'
import { NoAnswer } from './connection.ts'
import type { RawAnswer } from './connection.ts'
import { Connections } from './connections.ts'
import { Cookies, mergedCookies } from './cookies.ts'
import { decodeBody } from './decode-body.ts'
import { keepBody } from './kept-body.ts'
import type { BodyBudget } from './kept-body.ts'
import { errorClassOf, networkWords, NotSent } from './network-words.ts'
import { framingHeaders, headerOf, withoutHeaders } from './request.ts'
import type { HeaderList, HttpRequestToSend } from './request.ts'
import type { Transport } from './transport.ts'
import type { Way } from './way.ts'

export interface HttpClientOptions {
  gate: TargetGate
  signal: AbortSignal
  way: Way
  redactor: Redactor
  userAgent: string
  keepsCookies: boolean
  keepsCache: boolean
}

export interface AskOptions {
  transport: Transport
  timeoutMs: number
  bytesMax: number
  bodies: BodyBudget
}

/** What came of one request. */
export interface Answer {
  exchange: Exchange
  /** Null where no answer came; the exchange has the error. */
  received: Received | null
  /** Why none came. */
  errorClass: ErrorClass
  isFromCache: boolean
  /** The server said that what the cache has still holds. */
  isRenewed: boolean
  /** As performance.now() tells it; null where nothing was sent, or no answer came. */
  sentAt: number | null
  answeredAt: number | null
  sentBytes: number
  receivedBytes: number
}

/** What went over the network, before anybody looks into it. */
interface Sent {
  answer: RawAnswer | null
  error: string | null
  errorClass: ErrorClass
  timings: Exchange['timings']
  sentAt: number | null
  answeredAt: number | null
  remoteAddress: string | null
  httpVersion: string | null
  keepsAlive: boolean
}

/** RFC 9110, 9.2.2 */
export const idempotent = /^(?:GET|HEAD|PUT|DELETE|OPTIONS|TRACE)$/
export const acceptedEncodings = 'gzip, deflate, br, zstd'

/** Sends the requests of one user: its connections, its cookies, its cache. */
export class HttpClient {
  readonly cookies: Cookies | null
  readonly cache: HttpCache | null
  readonly #connections: Connections
  readonly #options: HttpClientOptions

  constructor(options: HttpClientOptions) {
    this.#options = options
    this.#connections = new Connections(options.gate, options.signal, options.way)
    this.cookies = options.keepsCookies ? new Cookies() : null
    this.cache = options.keepsCache ? new HttpCache() : null
  }

  /** One request and its answer. What goes wrong on the network is in the exchange; nothing is thrown for it. */
  async ask(request: HttpRequestToSend, options: AskOptions): Promise<Answer> {
    const startedAt = new Date().toISOString()
    const url = request.url.href
    const headers = this.#completeHeaders(request)
    const cacheRequest = { method: request.method, url, headers }
    const cached = this.cache?.lookup(cacheRequest)
    if (cached !== undefined && 'fresh' in cached)
      return this.#fromCache({ ...request, headers }, cached.fresh, startedAt, options.bodies)
    const asked = { ...request, headers: cached === undefined ? headers : [...headers, ...cached.ask] }
    const sent = await this.#send(asked, options)
    const { answer } = sent
    if (answer !== null) {
      for (const { name, value } of answer.headers)
        if (name.toLowerCase() === 'set-cookie') this.cookies?.take(value, url)
      const kept =
        cached !== undefined && answer.status === 304
          ? this.cache?.renewed(cacheRequest, answer.headers)
          : undefined
      if (kept !== undefined) return this.#told(asked, sent, kept, startedAt, options.bodies, true)
      try {
        const encodings = valuesOf(answer.headers, 'content-encoding').join(',')
        const body = await decodeBody(answer.body, encodings, options.bytesMax)
        const whole = { ...answer, body }
        this.cache?.keep(cacheRequest, whole)
        return this.#told(asked, sent, whole, startedAt, options.bodies, false)
      } catch (error) {
        if (!(error instanceof ActionFailure)) throw error
        return this.#told(
          asked,
          { ...sent, error: error.message, errorClass: 'protocol' },
          null,
          startedAt,
          options.bodies,
          false,
        )
      }
    }
    return this.#told(asked, sent, null, startedAt, options.bodies, false)
  }

  close(): void {
    this.#connections.closeAll()
  }

  #completeHeaders({ url, headers }: HttpRequestToSend): HeaderList {
    const own = withoutHeaders(headers, framingHeaders)
    const usual: HeaderList = [
      ['host', url.host],
      ['user-agent', this.#options.userAgent],
      ['accept', '*/*'],
      ['accept-encoding', acceptedEncodings],
    ]
    const added = usual.filter(([name]) => headerOf(own, name) === undefined)
    const written = headerOf(own, 'cookie')
    const cookie = mergedCookies(written, this.cookies?.header(url.href) ?? '')
    return [
      ...added,
      ...withoutHeaders(own, /^cookie$/i),
      ...(cookie === '' ? [] : [['cookie', cookie] as const]),
    ].map(([name, value]) => [name, asLatin1(value)])
  }

  /** A request on a connection that was open already, and that ended without a word, is sent once more, as browsers do it. */
  async #send(request: HttpRequestToSend, options: AskOptions): Promise<Sent> {
    const { url, method } = request
    const started = performance.now()
    const place = `${method} ${url.host}`
    const timings = emptyTimings()
    const { keepsAlive } = options.transport
    const failed = (error: string, cause: unknown): Sent => ({
      answer: null,
      error,
      errorClass: errorClassOf(cause),
      timings: { ...timings, totalMs: performance.now() - started },
      sentAt: null,
      answeredAt: null,
      remoteAddress: null,
      httpVersion: null,
      keepsAlive,
    })
    for (let isRepeated = false; ; isRepeated = true) {
      let connection
      try {
        await this.#checkNamedHost(request)
        const waited = performance.now()
        const lease = await this.#connections.lease(url, options.transport)
        connection = lease.connection
        addConnectTimings(timings, lease.opened, performance.now() - waited)
        const isReused = connection.isUsed
        const remoteAddress = connection.remoteAddress
        const httpVersion = connection.isHttp2 ? 'HTTP/2' : 'HTTP/1.1'
        const sentAt = performance.now()
        try {
          const answer = await connection.send({
            method,
            path: `${url.pathname}${url.search}`,
            headers: rawHeaders(request.headers, connection.isHttp2),
            body: request.body,
            timeoutMs: options.timeoutMs,
            bytesMax: options.bytesMax,
            signal: this.#options.signal,
          })
          const { sendMs, firstByteMs, downloadMs } = answer
          const answeredAt = performance.now()
          return {
            answer,
            error: null,
            errorClass: 'other',
            timings: { ...timings, sendMs, firstByteMs, downloadMs, totalMs: answeredAt - started },
            sentAt,
            answeredAt,
            remoteAddress,
            httpVersion,
            keepsAlive,
          }
        } catch (error) {
          if (!(error instanceof NoAnswer)) throw error
          const mayRepeat = error.cause instanceof NotSent || idempotent.test(method)
          if (error.isUnheard && isReused && !isRepeated && mayRepeat) continue
          return { ...failed(networkWords(error.cause, place), error.cause), remoteAddress, httpVersion }
        }
      } catch (error) {
        if (error instanceof ConnectFailed) {
          addConnectTimings(timings, error.timings, null)
          return failed(error.message, error)
        }
        return failed(networkWords(error, place), error)
      } finally {
        if (connection !== undefined) this.#connections.release(connection)
      }
    }
  }

  /** A `Host` header asks a server for what another host has: that host has to be allowed, too. */
  async #checkNamedHost({ url, headers }: HttpRequestToSend): Promise<void> {
    const named = headerOf(headers, 'host') ?? url.host
    if (named.toLowerCase() === url.host) return
    const other = URL.parse(`${url.protocol}//${named}`)
    if (other === null) throw new ActionFailure(`The header Host: ${named} names no host.`)
    const { host, port } = destinationOf(other)
    if (host !== destinationOf(url).host) await this.#options.gate.resolve(host, port)
  }

  #fromCache(
    request: HttpRequestToSend,
    answer: CachedAnswer,
    startedAt: string,
    bodies: BodyBudget,
  ): Answer {
    const sent: Sent = {
      answer: null,
      error: null,
      errorClass: 'other',
      timings: { ...emptyTimings(), totalMs: 0 },
      sentAt: null,
      answeredAt: null,
      remoteAddress: null,
      httpVersion: null,
      keepsAlive: true,
    }
    return { ...this.#told(request, sent, answer, startedAt, bodies, false), isFromCache: true, sentBytes: 0 }
  }

  #told(
    request: HttpRequestToSend,
    sent: Sent,
    answer: CachedAnswer | null,
    startedAt: string,
    bodies: BodyBudget,
    isRenewed: boolean,
  ): Answer {
    const { redactor } = this.#options
    const transferred = sent.answer?.body.length ?? null
    const shownAnswer = answer ?? (sent.answer === null ? null : { ...sent.answer, body: null })
    const redactHeaders = (headers: readonly ExchangeHeader[]) =>
      headers.map(({ name, value }) => ({ name: redactor.redact(name), value: redactor.redact(value) }))
    const requestHeaders = request.headers.map(([name, value]) => ({ name, value }))
    if (sent.httpVersion === 'HTTP/1.1')
      requestHeaders.push({ name: 'connection', value: sent.keepsAlive ? 'keep-alive' : 'close' })
    if (request.body !== null)
      requestHeaders.push({ name: 'content-length', value: String(request.body.length) })
    const contentType = valuesOf(shownAnswer?.headers ?? [], 'content-type')[0] ?? null
    const exchange: Exchange = {
      startedAt,
      request: {
        method: request.method,
        url: redactor.redact(request.url.href),
        httpVersion: sent.httpVersion,
        headers: redactHeaders(requestHeaders),
        body:
          request.body === null
            ? null
            : keepBody(
                request.body,
                headerOf(request.headers, 'content-type') ?? null,
                request.body.length,
                redactor,
                bodies,
              ),
      },
      response:
        shownAnswer === null
          ? null
          : {
              status: shownAnswer.status,
              statusText: redactor.redact(shownAnswer.statusText),
              httpVersion: sent.httpVersion,
              headers: redactHeaders(shownAnswer.headers),
              body:
                shownAnswer.body === null || (shownAnswer.body.length === 0 && contentType === null)
                  ? null
                  : keepBody(shownAnswer.body, contentType, transferred, redactor, bodies),
            },
      error: sent.error === null ? null : redactor.redact(sent.error),
      timings: sent.timings,
      remoteAddress: sent.remoteAddress,
    }
    return {
      exchange,
      received:
        answer === null
          ? null
          : new Received({ ...answer, url: request.url.href, durationMs: sent.timings.totalMs }),
      errorClass: sent.errorClass,
      isFromCache: false,
      isRenewed,
      sentAt: sent.sentAt,
      answeredAt: sent.answeredAt,
      sentBytes:
        sent.httpVersion === null
          ? 0
          : headBytes(
              `${request.method} ${request.url.pathname}${request.url.search} HTTP/1.1`,
              requestHeaders,
            ) + (request.body?.length ?? 0),
      receivedBytes:
        sent.answer === null
          ? 0
          : headBytes(`HTTP/1.1 ${sent.answer.status} ${sent.answer.statusText}`, sent.answer.headers) +
            sent.answer.body.length,
    }
  }
}

function emptyTimings(): Exchange['timings'] {
  return {
    blockedMs: null,
    dnsMs: null,
    connectMs: null,
    tlsMs: null,
    sendMs: null,
    firstByteMs: null,
    downloadMs: null,
    totalMs: 0,
  }
}

/** What was waited for and is no part of the connection being made is time that the request was held back. */
function addConnectTimings(
  timings: Exchange['timings'],
  opened: ConnectTimings | null,
  waitedMs: number | null,
): void {
  const { dnsMs, connectMs, tlsMs } = opened ?? { dnsMs: null, connectMs: null, tlsMs: null }
  Object.assign(timings, { dnsMs, connectMs, tlsMs })
  if (waitedMs !== null)
    timings.blockedMs = Math.max(0, waitedMs - (dnsMs ?? 0) - (connectMs ?? 0) - (tlsMs ?? 0))
}

/** As they are written over HTTP/1.1; over HTTP/2 they are compressed, and this is what they stand for. */
function headBytes(firstLine: string, headers: readonly ExchangeHeader[]): number {
  return headers.reduce((sum, { name, value }) => sum + name.length + value.length + 4, firstLine.length + 4)
}

function rawHeaders(headers: HeaderList, isHttp2: boolean): string[] {
  return headers.flatMap(([name, value]) => [isHttp2 ? name.toLowerCase() : name, value])
}

function valuesOf(headers: readonly ExchangeHeader[], name: string): string[] {
  return headers.filter((header) => header.name.toLowerCase() === name).map(({ value }) => value)
}

/** Headers are bytes: what is beyond Latin-1 is sent as UTF-8. */
export function asLatin1(value: string): string {
  return /[^\0-\xff]/.test(value) ? Buffer.from(value).toString('latin1') : value
}
