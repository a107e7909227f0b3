import type { Exchange, ExchangeBody, ExchangeHeader, ExchangeTimings } from '../../recording/exchange.ts'

/** As it stands in the HAR: who wrote it. */
export interface HarCreator {
  name: string
  version: string
}

/**
 * Writes exchanges, of a recording or a validation, as a [HAR 1.2](http://www.softwareishard.com/blog/har-12-spec/), in UTF-8 and
 * piece by piece. importHar reads the same exchanges again. Fields that begin with _ say what HAR has no word for.
 */
export async function* exportHar(
  exchanges: AsyncIterable<Exchange>,
  creator: HarCreator = { name: 'Flamegate', version: '1' },
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"pages":[],"entries":[`)
  let between = '\n'
  for await (const exchange of exchanges) {
    yield Buffer.from(`${between}${JSON.stringify(entryOf(exchange))}`)
    between = ',\n'
  }
  yield Buffer.from('\n]}}\n')
}

function entryOf({ startedAt, request, response, error, timings, remoteAddress }: Exchange): object {
  const address = /^(?:\[([^\]]*)\]|([^:]*)):(\d+)$/.exec(remoteAddress ?? '')
  return {
    startedDateTime: startedAt,
    time: timings.totalMs,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: request.httpVersion ?? 'unknown',
      cookies: cookiesOf(request.headers),
      headers: request.headers,
      queryString: [...(URL.parse(request.url)?.searchParams ?? [])].map(([name, value]) => ({
        name,
        value,
      })),
      ...(request.body === null ? {} : { postData: postDataOf(request.body) }),
      headersSize: -1,
      bodySize: request.body?.sizeBytes ?? 0,
    },
    response: {
      status: response?.status ?? 0,
      statusText: response?.statusText ?? '',
      httpVersion: response?.httpVersion ?? 'unknown',
      cookies: [],
      headers: response?.headers ?? [],
      content: contentOf(response?.body ?? null),
      redirectURL: response?.headers.find(({ name }) => name.toLowerCase() === 'location')?.value ?? '',
      headersSize: -1,
      bodySize: response?.body?.transferredBytes ?? -1,
      ...(error === null ? {} : { _error: error }),
    },
    cache: {},
    timings: timingsOf(timings),
    ...(remoteAddress === null ? {} : { serverIPAddress: address?.[1] ?? address?.[2] ?? remoteAddress }),
    ...(address === null ? {} : { _serverPort: Number(address[3]) }),
  }
}

function cookiesOf(headers: readonly ExchangeHeader[]): { name: string; value: string }[] {
  return headers
    .filter(({ name }) => name.toLowerCase() === 'cookie')
    .flatMap(({ value }) => value.split(';'))
    .map((cookie) => {
      const [name = '', ...value] = cookie.trim().split('=')
      return { name, value: value.join('=') }
    })
}

function postDataOf(body: ExchangeBody): object {
  return {
    mimeType: body.contentType ?? '',
    text: body.content ?? '',
    ...(body.encoding === 'base64' ? { encoding: 'base64' } : {}),
    ...(body.isCut ? { _isCut: true } : {}),
  }
}

function contentOf(body: ExchangeBody | null): object {
  if (body === null) return { size: 0, mimeType: 'x-unknown' }
  return {
    size: body.sizeBytes,
    mimeType: body.contentType ?? 'x-unknown',
    ...(body.content === null ? {} : { text: body.content }),
    ...(body.encoding === 'base64' ? { encoding: 'base64' } : {}),
    ...(body.isCut ? { _isCut: true } : {}),
  }
}

/** HAR counts TLS as a part of connecting, and wants numbers for the last three. */
function timingsOf(timings: ExchangeTimings): object {
  const { connectMs, tlsMs } = timings
  return {
    blocked: timings.blockedMs ?? -1,
    dns: timings.dnsMs ?? -1,
    connect: connectMs === null ? -1 : connectMs + (tlsMs ?? 0),
    ssl: tlsMs ?? -1,
    send: timings.sendMs ?? 0,
    wait: timings.firstByteMs ?? 0,
    receive: timings.downloadMs ?? 0,
  }
}
