import type { Redactor } from '../text/redactor.ts'
import type { Exchange, ExchangeBody, ExchangeHeader } from './exchange.ts'

/** An exchange that somebody else wrote down, without secrets. */
export function redactExchange(exchange: Exchange, redactor: Redactor): Exchange {
  const headers = (list: readonly ExchangeHeader[]) =>
    list.map(({ name, value }) => ({ name: redactor.redact(name), value: redactor.redact(value) }))
  const body = (of: ExchangeBody | null) =>
    of?.content == null ? of : { ...of, content: redactor.redact(of.content) }
  const { request, response, error } = exchange
  return {
    ...exchange,
    error: error === null ? null : redactor.redact(error),
    request: {
      ...request,
      url: redactor.redact(request.url),
      headers: headers(request.headers),
      body: body(request.body),
    },
    response:
      response === null
        ? null
        : {
            ...response,
            statusText: redactor.redact(response.statusText),
            headers: headers(response.headers),
            body: body(response.body),
          },
  }
}
