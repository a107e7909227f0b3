import { Problem } from '@flamegate/contract'
import type { FastifyInstance } from 'fastify'
import { allowAnyOrigin, answerPreflight } from './cors.ts'
import { mcpEndpoints } from './discovery-routes.ts'
import { metadataPath } from './resources.ts'
import type { Resources } from './resources.ts'

/**
 * Protected-resource metadata (RFC 9728) for every URL under `/mcp` and `/v1`, and at the root for `/mcp`; also where
 * a client takes the well-known name for a path below the one it was given.
 */
export function addResourceMetadataRoutes(app: FastifyInstance, resources: Resources): void {
  const below = mcpEndpoints.map((endpoint) => endpoint + metadataPath)
  for (const path of [metadataPath, `${metadataPath}/*`, ...below]) {
    app.get(path, async (request, reply) => {
      allowAnyOrigin(reply)
      const metadata = resources.metadata(request.url.replace(metadataPath, ''), request.host)
      if (!metadata) throw new Problem('not_found', 'There is no protected resource at this address.')
      reply.header('cache-control', 'public, max-age=300')
      return metadata
    })
    app.options(path, (_request, reply) => answerPreflight(reply, 'GET'))
  }
}
