import { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'

/** Gives a request to the provider, which answers it; `changes` is what it shall see in place of what came. */
export type HandOver = (
  request: FastifyRequest,
  reply: FastifyReply,
  changes?: { url?: string; body?: string },
) => void

export function createHandOver(provider: Provider): HandOver {
  const callback = provider.callback()
  const issuer = new URL(provider.issuer)

  return (request, reply, changes = {}) => {
    // What hooks have set so far (security headers, request id) would be lost with the reply.
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    reply.hijack()
    const body = changes.body ?? textOf(request)
    void callback(retold(request, issuer, { url: changes.url, body }), reply.raw)
  }
}

/** A body that stayed text. */
export function textOf({ body }: FastifyRequest): string | undefined {
  return typeof body === 'string' ? body : undefined
}

/**
 * The same request with another URL or body, for a reader that has not seen the first one. It comes to the issuer's
 * address, however it reached us, so that every URL the provider builds starts there.
 */
function retold(
  { raw: request, ip: address, id }: FastifyRequest,
  issuer: URL,
  { url = request.url, body }: { url?: string; body?: string },
): IncomingMessage {
  const copy = new IncomingMessage(request.socket)
  copy.method = request.method
  copy.url = url
  copy.headers = {
    ...request.headers,
    host: issuer.host,
    'x-forwarded-host': issuer.host,
    'x-forwarded-proto': issuer.protocol.slice(0, -1),
    'x-forwarded-for': address,
    'x-request-id': id,
  }
  delete copy.headers['transfer-encoding']
  if (body !== undefined) {
    copy.headers['content-length'] = String(Buffer.byteLength(body))
    copy.push(body)
  }
  copy.push(null)
  copy.complete = true
  return copy
}
