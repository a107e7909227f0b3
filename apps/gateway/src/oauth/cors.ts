import type { FastifyReply } from 'fastify'

/** Lets pages of any site read the answer. Only for what is public and asks no cookie. */
export function allowAnyOrigin(reply: FastifyReply): FastifyReply {
  return reply.header('access-control-allow-origin', '*')
}

/** The answer to a browser that asks whether it may send a request (a CORS preflight). */
export function answerPreflight(reply: FastifyReply, methods: string): FastifyReply {
  return allowAnyOrigin(reply)
    .header('access-control-allow-methods', methods)
    .header('access-control-allow-headers', 'authorization, content-type, mcp-protocol-version')
    .header('access-control-max-age', '3600')
    .code(204)
    .send()
}
