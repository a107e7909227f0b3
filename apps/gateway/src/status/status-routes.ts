import { hash } from 'node:crypto'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { allowAnyOrigin } from '../oauth/cors.ts'
import { addStatusHeaders } from '../security-headers.ts'
import { statusJson, statusPage, statusStyle } from './status-page.ts'
import type { StatusWatch } from './watch-status.ts'

/** Caches in between may answer for this long, so that a crowd that wonders costs nothing. */
const freshForS = 10

/**
 * `/status` for people and `/status.json` for programs and for whoever asks `/status` for JSON: for anybody. It names no
 * workspace, and says nothing of why something does not work.
 */
export function statusRoutes(publicUrl: string, watch: StatusWatch): FastifyPluginAsync {
  const sendJson = async (request: FastifyRequest, reply: FastifyReply) => {
    allowAnyOrigin(reply)
    return send(request, reply, 'application/json; charset=utf-8', statusJson(await watch.seen()))
  }

  return async (app) => {
    await addStatusHeaders(app, { publicUrl, style: statusStyle })
    app.addHook('onReady', async () => watch.start())
    app.addHook('onClose', async () => watch.stop())
    app.get('/status.json', sendJson)
    app.get('/status', async (request, reply) => {
      reply.header('vary', 'accept')
      if (wantsJson(request.headers.accept)) return sendJson(request, reply)
      return send(request, reply, 'text/html; charset=utf-8', statusPage(await watch.seen()))
    })
  }
}

function send(request: FastifyRequest, reply: FastifyReply, type: string, body: string): FastifyReply {
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`
  reply.header('cache-control', `public, max-age=${freshForS}`).header('etag', etag).type(type)
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(body)
}

function wantsJson(accept = ''): boolean {
  return accept.includes('application/json') && !accept.includes('text/html')
}
