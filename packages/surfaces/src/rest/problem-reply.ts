import { Problem, type ProblemDetails } from '@flamegate/contract'
import { problemOfStore } from '@flamegate/operations/ports'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { mediaTypes, problemResultJson, representationFor } from '../representation.ts'
import { refusalMarkHeader } from './refusal-mark.ts'
import { rateLimitField, rateLimitPolicyField } from './rate-limit-fields.ts'

/** Turns whatever was thrown into a problem a caller may see; undefined for a bug of ours. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  // Who is calling is looked up before any operation begins.
  const refused = problemOfStore(error)
  if (refused !== undefined) return refused
  const { statusCode, code } = (error ?? {}) as Partial<FastifyError>
  if (statusCode === undefined || statusCode >= 500) return undefined
  if (statusCode === 413)
    return new Problem(
      'too_large',
      'The request body is too large. Larger content goes through an upload URL.',
      { cause: error },
    )
  if (statusCode === 415)
    return new Problem('unsupported_media_type', 'Send the body as application/json.', { cause: error })
  if (statusCode === 404)
    return new Problem('not_found', 'There is nothing at this address.', { cause: error })
  return new Problem(
    'malformed_request',
    `The request could not be read${code?.includes('JSON') ? ': its body is not valid JSON' : ''}.`,
    { cause: error },
  )
}

/**
 * Fastify's error handler for REST: RFC 9457 problem details, or the same words as a tool result where that was
 * asked for. A bug is logged with its stack and answered without a word of it.
 */
export function problemHandler(docsUrl: string) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const problem = problemOf(error)
    if (problem === undefined) request.log.error({ err: error }, 'unexpected error')
    // Whoever called can only try again; whoever runs it has to know why.
    else if (problem.code === 'unavailable')
      request.log.error({ err: problem.cause ?? problem }, 'unavailable')
    const seen =
      problem ??
      new Problem(
        'internal',
        `This is a defect on our side. Tell us the request id ${request.id}, and try again later.`,
      )
    if (seen.limits !== undefined) {
      reply.header('ratelimit-policy', rateLimitPolicyField(seen.limits))
      reply.header('ratelimit', rateLimitField(seen.limits))
    }
    if (seen.callerLimit !== undefined) reply.header(refusalMarkHeader, seen.callerLimit)
    return sendProblem(reply, request, seen.toDetails(docsUrl, request.id))
  }
}

export function sendProblem(
  reply: FastifyReply,
  request: FastifyRequest,
  details: ProblemDetails,
): FastifyReply {
  if (details.retry_after_seconds !== undefined) reply.header('retry-after', details.retry_after_seconds)
  reply.code(details.status)
  if (representationFor(request.headers.accept) === 'toolResult') {
    return reply.type(mediaTypes.toolResult).send(problemResultJson(details))
  }
  // Sent as text, because Fastify knows no serializer for this media type.
  return reply.type(`${mediaTypes.problem}; charset=utf-8`).send(JSON.stringify(details))
}
