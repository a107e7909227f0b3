import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { attachment } from './content-disposition.ts'
import { endsWhenIdle } from './ends-when-idle.ts'
import type { FolderStorage, LinkRequest } from './folder-storage.ts'

/**
 * Serves the links of a folder storage: `PUT` and `GET /v1/objects/<key>`. The signature in the query is the only
 * credential, so register it outside of anything that asks for another one. Bytes are streamed both ways. Refusals are
 * thrown as `Problem`s; the app's error handler writes them.
 */
export function objectRoutes(storage: FolderStorage): FastifyPluginAsync {
  return async (app) => {
    // The body stays in the socket until the link has been checked.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))

    // The link itself says how long the body may be.
    app.put('/v1/objects/*', { bodyLimit: Number.MAX_SAFE_INTEGER }, async (request, reply) => {
      const stored = await storage.acceptUpload({
        ...linkOf(request),
        contentType: request.headers['content-type'] ?? '',
        contentLength: request.headers['content-length'],
        body: endsWhenIdle(request.raw),
      })
      return reply.code(201).send({ size_bytes: stored.sizeBytes, sha256: stored.sha256 })
    })

    app.get('/v1/objects/*', { exposeHeadRoute: false }, async (request, reply) => {
      const { body, sizeBytes, contentType, fileName } = await storage.openDownload(linkOf(request))
      return reply
        .headers({
          'content-type': contentType,
          'content-length': sizeBytes,
          'content-disposition': attachment(fileName),
          'cache-control': 'private, no-store',
          // Viewers on other sites may fetch it: the link is the only credential, and cookies are none.
          'access-control-allow-origin': '*',
          // Somebody's upload on our own origin: it is never to be run, framed or guessed at.
          'x-content-type-options': 'nosniff',
          'content-security-policy': `default-src 'none'; sandbox`,
        })
        .send(body)
    })
  }
}

function linkOf(request: FastifyRequest): LinkRequest {
  // The raw URL, and not the decoded parameter: an encoded slash or dot must not become a real one.
  const url = new URL(request.raw.url ?? '/', 'http://localhost')
  return { key: url.pathname.slice('/v1/objects/'.length), query: url.searchParams }
}
