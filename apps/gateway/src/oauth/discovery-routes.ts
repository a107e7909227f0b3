import type { FastifyInstance } from 'fastify'
import type { HandOver } from './hand-over.ts'

const wellKnown = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'] as const

/**
 * Everything under `/mcp` that a client may have been given as its server, from `/mcp` to
 * `/mcp/w/<workspace>/<project>/x/<toolsets>/readonly`.
 */
export const mcpEndpoints = [
  '',
  '/:a',
  '/:a/:b',
  '/:a/:b/:c',
  '/:a/:b/:c/:d',
  '/:a/:b/:c/:d/:e',
  '/:a/:b/:c/:d/:e/:f',
].map((parts) => `/mcp${parts}`)

/**
 * Metadata of the authorization server at every address where clients look for it: at the root, with the path of
 * what they want to reach behind the well-known name (RFC 8414, 3.1), and the other way round (OpenID Connect
 * Discovery, 4). We have one issuer for all.
 */
export function addDiscoveryRoutes(app: FastifyInstance, handOver: HandOver): void {
  for (const url of wellKnown) {
    for (const path of [url, `${url}/*`, ...mcpEndpoints.map((endpoint) => endpoint + url)]) {
      // HEAD is answered by the same handler.
      app.get(path, (request, reply) => handOver(request, reply, { url }))
      app.options(path, (request, reply) => handOver(request, reply, { url }))
    }
  }
}
