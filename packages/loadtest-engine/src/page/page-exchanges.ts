import type { Exchange, ExchangeBody, ExchangeHeader } from '@flamegate/loadtest'
import type { BrowserContext, Request, Response } from 'playwright'
import type { ReplayedExchange } from '../ports.ts'

/** Most requests of one action that are kept, and most bytes of their bodies. */
const exchangesMax = 500
const bodiesBytesMax = 16_000_000
const bodyBytesMax = 2_000_000
const isTextual = /^text\/|[/+](?:json|xml)|javascript|x-www-form-urlencoded/i

/** Keeps what a browser's pages request, in the order in which it ended. */
export class PageExchanges {
  #ended: Promise<ReplayedExchange>[] = []
  #count = 0
  #bodiesBytes = 0

  constructor(context: BrowserContext) {
    context.on('requestfinished', (request) => this.#add(request))
    context.on('requestfailed', (request) => this.#add(request))
  }

  /** Those since the last time, and how many more there were than are kept. */
  async take(): Promise<{ exchanges: ReplayedExchange[]; left: number }> {
    const exchanges = await Promise.all(this.#ended)
    const left = Math.max(0, this.#count - exchangesMax)
    this.#ended = []
    this.#count = 0
    this.#bodiesBytes = 0
    return { exchanges, left }
  }

  #add(request: Request): void {
    this.#count++
    if (this.#count <= exchangesMax && /^https?:/i.test(request.url())) this.#ended.push(this.#read(request))
  }

  async #read(request: Request): Promise<ReplayedExchange> {
    const response = await request.response().catch(() => null)
    const timing = request.timing()
    const sent = request.postDataBuffer()
    const requestHeaders = await headersOf(() => request.headersArray())
    const exchange: Exchange = {
      startedAt: new Date(timing.startTime > 0 ? timing.startTime : Date.now()).toISOString(),
      request: {
        method: request.method(),
        url: withoutFragment(request.url()),
        httpVersion: null,
        headers: requestHeaders,
        body: sent === null ? null : bodyOf(sent, headerOf(requestHeaders, 'content-type'), sent.length),
      },
      response: response === null ? null : await this.#answerOf(request, response),
      error: response === null ? (request.failure()?.errorText ?? 'There was no answer.') : null,
      timings: {
        blockedMs: null,
        dnsMs: span(timing.domainLookupStart, timing.domainLookupEnd),
        connectMs: span(
          timing.connectStart,
          timing.secureConnectionStart > 0 ? timing.secureConnectionStart : timing.connectEnd,
        ),
        tlsMs:
          timing.secureConnectionStart > 0 ? span(timing.secureConnectionStart, timing.connectEnd) : null,
        sendMs: null,
        firstByteMs: span(timing.requestStart, timing.responseStart),
        downloadMs: span(timing.responseStart, timing.responseEnd),
        totalMs: Math.max(0, timing.responseEnd, timing.responseStart),
      },
      remoteAddress: null,
    }
    const isMain = request.isNavigationRequest() && request.frame().parentFrame() === null
    return {
      role: isMain ? (request.redirectedTo() === null ? 'main' : 'redirect') : 'resource',
      exchange,
      resourceId: null,
      isFromCache: false,
    }
  }

  async #answerOf(request: Request, response: Response): Promise<NonNullable<Exchange['response']>> {
    const headers = await headersOf(() => response.headersArray())
    const contentType = headerOf(headers, 'content-type')
    const sizes = await request.sizes().catch(() => undefined)
    const canBeRead = request.redirectedTo() === null && this.#bodiesBytes < bodiesBytesMax
    const bytes =
      canBeRead && isTextual.test(contentType ?? '') ? await response.body().catch(() => null) : null
    this.#bodiesBytes += bytes?.length ?? 0
    return {
      status: response.status(),
      statusText: response.statusText(),
      httpVersion: null,
      headers,
      body:
        bytes === null
          ? {
              contentType,
              sizeBytes: sizes?.responseBodySize ?? 0,
              transferredBytes: sizes?.responseBodySize ?? null,
              content: null,
              encoding: 'text',
              isCut: false,
            }
          : bodyOf(bytes, contentType, sizes?.responseBodySize ?? null),
    }
  }
}

async function headersOf(read: () => Promise<ExchangeHeader[]>): Promise<ExchangeHeader[]> {
  try {
    return await read()
  } catch {
    return []
  }
}

function headerOf(headers: readonly ExchangeHeader[], wanted: string): string | null {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value ?? null
}

function bodyOf(bytes: Buffer, contentType: string | null, transferredBytes: number | null): ExchangeBody {
  const kept = bytes.subarray(0, bodyBytesMax)
  const isText = isTextual.test(contentType ?? '') || !kept.includes(0)
  return {
    contentType,
    sizeBytes: bytes.length,
    transferredBytes,
    content: kept.toString(isText ? 'utf8' : 'base64'),
    encoding: isText ? 'text' : 'base64',
    isCut: kept.length < bytes.length,
  }
}

function span(from: number, to: number): number | null {
  return from < 0 || to < from ? null : to - from
}

function withoutFragment(url: string): string {
  const at = url.indexOf('#')
  return at < 0 ? url : url.slice(0, at)
}
