import { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { normalizeClientMetadataText } from './client-metadata.ts'
import { allowAnyOrigin, answerPreflight } from './cors.ts'
import { oauthPaths } from './provider.ts'
import { withCanonicalResource, withGrantableScope } from './requested-access.ts'
import type { Resources } from './resources.ts'

const authorizationServerMetadata = '/.well-known/oauth-authorization-server'
const openidConfiguration = '/.well-known/openid-configuration'

/**
 * The provider's own routes, each handed over with what lenience towards clients needs: a default scope, canonical
 * resources, normalized registrations, metadata also where clients look for it.
 */
export function addProviderRoutes(app: FastifyInstance, provider: Provider, resources: Resources): void {
  const callback = provider.callback()
  const { authorization, token, registration, revocation, jwks } = oauthPaths

  /** `changes` is what the provider shall see in place of the URL or body that came. */
  function handOver(
    request: FastifyRequest,
    reply: FastifyReply,
    changes: { url?: string; body?: string } = {},
  ) {
    // What hooks have set so far (security headers, request id) would be lost with the reply.
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    reply.hijack()
    const body = changes.body ?? textOf(request)
    void callback(retold(request.raw, new URL(provider.issuer), { url: changes.url, body }), reply.raw)
  }

  // Bodies stay text: the provider reads them itself, after our changes.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'string', bodyLimit: 56 * 1024 },
    (_request: FastifyRequest, text: string, done: (error: null, body: string) => void) => done(null, text),
  )

  app.get(authorization, (request, reply) => {
    const { pathname, searchParams } = new URL(request.url, provider.issuer)
    const parameters = withCanonicalResource(withGrantableScope(searchParams), resources)
    handOver(request, reply, { url: `${pathname}?${parameters.toString()}` })
  })
  app.get(`${authorization}/:uid`, (request, reply) => handOver(request, reply))

  app.post(token, (request, reply) => {
    const parameters = new URLSearchParams(textOf(request))
    handOver(request, reply, { body: withCanonicalResource(parameters, resources).toString() })
  })
  app.options(token, (request, reply) => handOver(request, reply))

  app.post(registration, (request, reply) => {
    allowAnyOrigin(reply)
    handOver(request, reply, { body: normalizeClientMetadataText(textOf(request) ?? '') })
  })
  app.options(registration, (_request, reply) => answerPreflight(reply, 'POST'))

  app.post(revocation, (request, reply) => handOver(request, reply))
  app.options(revocation, (request, reply) => handOver(request, reply))
  app.get(jwks, (request, reply) => handOver(request, reply))
  app.options(jwks, (request, reply) => handOver(request, reply))

  // Clients look behind the well-known path for the path of what they want to reach, or the other way round; we
  // have one issuer for all.
  const metadata = [
    [authorizationServerMetadata, authorizationServerMetadata],
    [`${authorizationServerMetadata}/*`, authorizationServerMetadata],
    [openidConfiguration, openidConfiguration],
    [`${openidConfiguration}/*`, openidConfiguration],
    [`/mcp${openidConfiguration}`, openidConfiguration],
  ] as const
  for (const [path, url] of metadata) {
    app.get(path, (request, reply) => handOver(request, reply, { url }))
    app.options(path, (request, reply) => handOver(request, reply, { url }))
  }
}

function textOf({ body }: FastifyRequest): string | undefined {
  return typeof body === 'string' ? body : undefined
}

/**
 * The same request with another URL or body, for a reader that has not seen the first one. It comes to the issuer's
 * address, however it reached us, so that every URL the provider builds starts there.
 */
function retold(
  request: IncomingMessage,
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
