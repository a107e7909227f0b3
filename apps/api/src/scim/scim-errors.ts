import type { ProblemCode } from '@flamegate/contract'
import { problemOf } from '@flamegate/surfaces'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Types } from 'scimmy'

export const scimMediaType = 'application/scim+json; charset=utf-8'

/** Detail keywords of RFC 7644, 3.12. */
const keywords: Partial<Record<ProblemCode, string>> = {
  conflict: 'uniqueness',
  invalid_input: 'invalidValue',
  malformed_request: 'invalidSyntax',
}

/** Fastify's error handler for SCIM: errors in the form of RFC 7644, 3.12. */
export function scimErrorHandler(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Types.Error) return send(reply, error.status, error.message, error.scimType)
  const problem = problemOf(error)
  if (problem === undefined) {
    request.log.error({ err: error }, 'unexpected error')
    const detail = `This is a defect on our side. Tell us the request id ${request.id}, and try again later.`
    return send(reply, 500, detail)
  }
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds)
  return send(reply, problem.status, problem.message, keywords[problem.code])
}

function send(reply: FastifyReply, status: number, detail: string, scimType?: string): FastifyReply {
  return reply
    .code(status)
    .type(scimMediaType)
    .send({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      // A string, as the specification has it.
      status: String(status),
      ...(scimType ? { scimType } : {}),
      detail,
    })
}
