import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

// Long enough to be unique, short and plain enough to be put into a log line and a header as it is.
const wellFormed = /^[A-Za-z0-9][A-Za-z0-9._-]{7,127}$/

/** The caller's `x-request-id` when it is well-formed, else a new one. Give it to Fastify as `genReqId`. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && wellFormed.test(given) ? given : randomUUID()
}

/** Answers every request with the id that its log lines carry. */
export function addRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
}
