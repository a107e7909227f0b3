import { hash } from 'node:crypto'
import { Problem } from '@flamegate/contract'
import { publicPath, type PublicText } from '@flamegate/surfaces'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { createAgentDownloads } from './agent-downloads.ts'
import { allowAnyOrigin, answerPreflight } from './oauth/cors.ts'
import { discoveredSkills, skillsPath } from './skill-discovery.ts'

interface PublicFile {
  body: Buffer
  contentType: string
  etag: string
}

const indexPaths = ['/schema/', '/schema']

/**
 * The guides, schemas and plugins as files below `/mcp/public`, and the skills where installers look for them; for anybody:
 * no credential, no cookie, from any page.
 */
export function publicFiles(publicUrl: string, texts: readonly PublicText[]): FastifyPluginAsync {
  const schemas = texts.filter(({ kind }) => kind === 'schema')
  const index = madeOf(schemaIndex(schemas), 'application/json')
  const files = new Map<string, PublicFile>(indexPaths.map((path) => [path, index]))
  for (const { file, mediaType, paths } of texts) {
    const made = madeOf(file, mediaType === 'text/markdown' ? 'text/markdown; charset=utf-8' : mediaType)
    for (const path of paths) files.set(path, made)
  }
  for (const { path, content, contentType } of createAgentDownloads(publicUrl, texts)) {
    files.set(path, madeOf(content, contentType))
  }
  const skills = new Map(
    discoveredSkills(texts).map(({ path, content, contentType }) => [path, madeOf(content, contentType)]),
  )
  const noSchema = `There is no such schema. There are: ${schemas.map(({ name }) => name).join(', ')}.`
  const noFile = `There is no such file. ${publicUrl}${publicPath}/AGENTS.md lists the guides.`

  return async (app) => {
    app.get<{ Params: { '*': string } }>(`${publicPath}/*`, async (request, reply) => {
      allowAnyOrigin(reply)
      const path = `/${request.params['*']}`
      const file = files.get(path)
      if (file === undefined) {
        throw new Problem('not_found', path.startsWith('/schema/') ? noSchema : noFile)
      }
      return sendFile(request, reply, file)
    })
    app.get<{ Params: { '*': string } }>(`${skillsPath}/*`, async (request, reply) => {
      allowAnyOrigin(reply)
      const file = skills.get(`/${request.params['*']}`)
      if (file === undefined) {
        throw new Problem(
          'not_found',
          `There is no such skill. ${publicUrl}${skillsPath}/index.json lists all of them.`,
        )
      }
      return sendFile(request, reply, file)
    })
    for (const path of [publicPath, skillsPath]) {
      app.options(`${path}/*`, (_request, reply) => answerPreflight(reply, 'GET, HEAD'))
    }
  }
}

function madeOf(content: string | Uint8Array, contentType: string): PublicFile {
  const body = Buffer.from(content)
  return { body, contentType, etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"` }
}

/** All schemas with their addresses, for programs that look for one. */
function schemaIndex(schemas: readonly PublicText[]): string {
  return JSON.stringify(
    {
      schemas: schemas.map(({ name, title, description, publicUrl: url }) => ({
        name,
        title,
        description,
        url,
      })),
    },
    null,
    2,
  )
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
