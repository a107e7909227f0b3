import { problemDetailForPeople, type Problem } from '@flamegate/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { problemOf } from './problem-reply.ts'

/**
 * Fastify's error handler for what CodSpeed's runner sends. Of an answer to `POST /upload` it prints `error`, of one to
 * the archive the whole text; `form` says which it will be.
 */
export function runnerErrorHandler(form: 'json' | 'text') {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const problem = problemOf(error)
    if (problem === undefined) request.log.error({ err: error }, 'unexpected error')
    const words =
      problem === undefined
        ? `This is a defect on our side. Tell us the request id ${request.id}, and try again later.`
        : wordsOf(problem)
    if (problem?.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds)
    reply.code(problem?.status ?? 500)
    return form === 'json'
      ? reply.send({ error: words })
      : reply.type('text/plain; charset=utf-8').send(words)
  }
}

function wordsOf({ message: detail, hint, errors = [] }: Problem): string {
  const fields = errors.map(({ field, message }) => `${field}: ${message}`)
  return [problemDetailForPeople({ detail, hint }), ...fields].join(' ')
}
