import { hash } from 'node:crypto'
import { Problem } from '@flamegate/contract'
import { publicPath, publicTexts } from '@flamegate/surfaces'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { allowAnyOrigin, answerPreflight } from './oauth/cors.ts'

interface PublicFile {
  body: Buffer
  contentType: string
  etag: string
}

/** The guides and schemas as files below `/mcp/public`, for anybody: no credential, no cookie, from any page. */
export function publicFiles(publicUrl: string): FastifyPluginAsync {
  const files = new Map(
    publicTexts(publicUrl).flatMap(({ file, mediaType, paths }) => {
      const body = Buffer.from(file)
      const made: PublicFile = {
        body,
        contentType: mediaType === 'text/markdown' ? 'text/markdown; charset=utf-8' : mediaType,
        etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"`,
      }
      return paths.map((path): [string, PublicFile] => [path, made])
    }),
  )

  return async (app) => {
    app.get<{ Params: { '*': string } }>(`${publicPath}/*`, async (request, reply) => {
      allowAnyOrigin(reply)
      const file = files.get(`/${request.params['*']}`)
      if (file === undefined) {
        throw new Problem(
          'not_found',
          `There is no such file. ${publicUrl}${publicPath}/AGENTS.md lists the guides.`,
        )
      }
      return sendFile(request, reply, file)
    })
    app.options(`${publicPath}/*`, (_request, reply) => answerPreflight(reply, 'GET, HEAD'))
  }
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: PublicFile): FastifyReply {
  reply
    .header('etag', file.etag)
    .header('cache-control', 'public, max-age=300')
    .header('access-control-expose-headers', 'etag')
    .header('x-content-type-options', 'nosniff')
    .type(file.contentType)
  return isKnown(request.headers['if-none-match'], file.etag) ? reply.code(304).send() : reply.send(file.body)
}

/** RFC 9110, 13.1.2: any of a list, weak or not, or `*`. */
function isKnown(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((each) => ['*', etag, `W/${etag}`].includes(each.trim()))
}
