import { type VirtualUser, virtualUser } from '../model/virtual-user.ts'
import type { Exchange, ExchangeBody } from '../recording/exchange.ts'
import type { RecordedExchanges } from '../correlate/recorded-exchanges.ts'

/** A request and its answer in short, for tests. Bodies are text; types are guessed from them. */
export interface ShortExchange {
  /** `POST https://shop.example.com/login` */
  request: string
  headers?: Record<string, string>
  body?: string
  status?: number
  /** A name may come again, with a list. */
  answerHeaders?: Record<string, string | string[]>
  answer?: string
}

export function exchangeOf({
  request,
  headers = {},
  body,
  status = 200,
  answerHeaders = {},
  answer,
}: ShortExchange): Exchange {
  const [method = '', url = ''] = request.split(' ')
  return {
    startedAt: '2026-11-20T12:00:00.000Z',
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      body: body === undefined ? null : textBody(body),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      headers: Object.entries(answerHeaders).flatMap(([name, values]) =>
        [values].flat().map((value) => ({ name, value })),
      ),
      body: answer === undefined ? null : textBody(answer),
    },
    error: null,
    timings: {
      blockedMs: null,
      dnsMs: null,
      connectMs: null,
      tlsMs: null,
      sendMs: null,
      firstByteMs: null,
      downloadMs: null,
      totalMs: 1,
    },
    remoteAddress: null,
  }
}

function textBody(content: string): ExchangeBody {
  const contentType = /^\s*[[{]/.test(content) ? 'application/json' : 'text/html'
  return {
    contentType,
    sizeBytes: Buffer.byteLength(content),
    transferredBytes: null,
    content,
    encoding: 'text',
    isCut: false,
  }
}

export function recordingOf(exchanges: readonly Exchange[]): RecordedExchanges {
  return {
    count: exchanges.length,
    exchange: (index) => {
      const exchange = exchanges[index]
      if (exchange === undefined) throw new RangeError(`No exchange ${index}`)
      return exchange
    },
  }
}

/** The virtual user of a recording: a request for each exchange, named r0, r1 …; or for those of the given places. */
export function userOf(
  exchanges: readonly Exchange[],
  places?: readonly number[],
  follow = false,
): VirtualUser {
  const actions = exchanges.flatMap(({ request }, index) => {
    if (places?.includes(index) === false) return []
    const url = new URL(request.url)
    const content = request.body?.content ?? null
    const isForm = content !== null && /^[\w.$-]+=/.test(content)
    return [
      {
        type: 'http_request',
        id: `r${index}`,
        name: url.pathname,
        method: request.method,
        server_id: 'srv_1',
        path: url.pathname,
        query: [...url.searchParams].map(([name, value]) => ({ name, value })),
        headers: request.headers.filter(({ name }) => name.toLowerCase() !== 'cookie'),
        body:
          content === null
            ? null
            : isForm
              ? {
                  type: 'form',
                  fields: [...new URLSearchParams(content)].map(([name, value]) => ({ name, value })),
                }
              : { type: 'raw', text: content },
        redirects: { follow },
        recorded: index,
      },
    ]
  })
  return virtualUser.parse({ name: 'Shop', actions })
}

/** Ids x1, x2 … */
export function ids(): () => string {
  let count = 0
  return () => `x${++count}`
}
