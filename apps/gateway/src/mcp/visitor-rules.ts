import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SiteNames } from '../site-names.ts'
import { errorMessage, rpcErrorCodes } from './json-rpc.ts'

/** Which names we answer to, and which pages may call us. */
export interface VisitorRules {
  /** Answers a request that came by a foreign name or from a foreign page with 403. */
  refuseForeign: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>
  /** Answers a browser that asks whether it may send a request (a CORS preflight). */
  answerPreflight: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

export interface VisitorOptions {
  names: SiteNames
  /** Origins of pages besides our own. */
  allowedOrigins?: readonly string[] | undefined
}

const requestHeaders = [
  'authorization',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
  'last-event-id',
  // What a client may choose: which tools it is shown.
  'x-mcp-toolsets',
  'x-mcp-readonly',
  'traceparent',
  'tracestate',
  'baggage',
]
/** Headers that repeat an argument of a tool (2026-07-28, custom headers): their names come from schemas. */
const argumentHeader = /^mcp-param-[a-z0-9-]{1,100}$/

/**
 * The Streamable HTTP transport asks for this: a page elsewhere, or one whose name was made to point at this machine
 * (DNS rebinding), must not get at a server in its visitor's network.
 */
export function visitorRules(options: VisitorOptions): VisitorRules {
  const { names, allowedOrigins = [] } = options
  const origins = new Set([names.publicOrigin, ...allowedOrigins])

  return {
    async refuseForeign(request, reply) {
      if (!names.isOurs(request.host)) return refuse(reply, 'This server does not go by that host name.')
      const { origin } = request.headers
      if (origin === undefined) return undefined
      if (!origins.has(origin)) return refuse(reply, 'Pages of this origin may not call.')
      reply
        .header('access-control-allow-origin', origin)
        .header(
          'access-control-expose-headers',
          'www-authenticate, mcp-session-id, x-request-id, retry-after',
        )
        .header('vary', 'origin')
      return undefined
    },
    async answerPreflight(request, reply) {
      return reply
        .header('access-control-allow-methods', 'POST')
        .header('access-control-allow-headers', allowedHeaders(request).join(', '))
        .header('access-control-max-age', '3600')
        .code(204)
        .send()
    },
  }
}

/** Names cannot be allowed by a pattern, and `*` does not count for Authorization: so those that are asked for. */
function allowedHeaders({ headers }: FastifyRequest): string[] {
  const asked = (headers['access-control-request-headers'] ?? '').toLowerCase().split(',')
  return [
    ...requestHeaders,
    ...asked
      .map((name) => name.trim())
      .filter((name) => argumentHeader.test(name))
      .slice(0, 50),
  ]
}

function refuse(reply: FastifyReply, why: string): FastifyReply {
  return reply.code(403).type('application/json').send(errorMessage(rpcErrorCodes.transport, why))
}
