import { Problem } from '@flamegate/contract'
import type { FastifyInstance } from 'fastify'
import { allowAnyOrigin, answerPreflight } from './cors.ts'
import { metadataPath } from './resources.ts'
import type { Resources } from './resources.ts'

/** Protected-resource metadata (RFC 9728) for every URL under `/mcp` and `/v1`, and at the root for `/mcp`. */
export function addResourceMetadataRoutes(app: FastifyInstance, resources: Resources): void {
  for (const path of [metadataPath, `${metadataPath}/*`]) {
    app.get(path, async (request, reply) => {
      allowAnyOrigin(reply)
      const metadata = resources.metadata(request.url.slice(metadataPath.length))
      if (!metadata) throw new Problem('not_found', 'There is no protected resource at this address.')
      reply.header('cache-control', 'public, max-age=300')
      return metadata
    })
    app.options(path, (_request, reply) => answerPreflight(reply, 'GET'))
  }
}
