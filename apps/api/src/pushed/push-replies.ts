import { problemDetailForPeople, type Problem } from '@flamegate/contract'
import { problemOf } from '@flamegate/surfaces'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { lengthDelimitedField, varintField } from './protobuf-fields.ts'

/** Codes of Connect and gRPC for what a status of HTTP means: their names and numbers. */
const codes: Readonly<Record<number, readonly [name: string, number: number]>> = {
  400: ['invalid_argument', 3],
  401: ['unauthenticated', 16],
  403: ['permission_denied', 7],
  404: ['not_found', 5],
  413: ['resource_exhausted', 8],
  415: ['invalid_argument', 3],
  429: ['resource_exhausted', 8],
  503: ['unavailable', 14],
}
const internal = ['internal', 13] as const

interface Refusal {
  status: number
  code: readonly [name: string, number: number]
  message: string
}

/**
 * Refusals to Pyroscope's agents, who print them: `{ "code": "invalid_argument", "message": "…" }`, as of Connect.
 * @see https://connectrpc.com/docs/protocol#error-codes
 */
export function pyroscopeErrors(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, code, message } = refusalOf(error, request, reply)
  return reply
    .code(status)
    .type('application/json')
    .send(JSON.stringify({ code: code[0], message }))
}

/**
 * Refusals to exporters of OpenTelemetry: a `google.rpc.Status` in the form of the request.
 * @see https://opentelemetry.io/docs/specs/otlp/#failures
 */
export function otlpErrors(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, code, message } = refusalOf(error, request, reply)
  void reply.code(status)
  return isJson(request)
    ? reply.type('application/json').send(JSON.stringify({ code: code[1], message }))
    : reply
        .type('application/x-protobuf')
        .send(Buffer.concat([varintField(1, code[1]), lengthDelimitedField(2, Buffer.from(message))]))
}

export function isJson({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.startsWith('application/json') ?? false
}

function refusalOf(error: unknown, request: FastifyRequest, reply: FastifyReply): Refusal {
  const problem = problemOf(error)
  if (problem === undefined) request.log.error({ err: error }, 'unexpected error')
  if (problem?.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds)
  const status = problem?.status ?? 500
  const message =
    problem === undefined
      ? `This is a defect on our side. Tell us the request id ${request.id}, and try again later.`
      : wordsOf(problem)
  return { status, code: codes[status] ?? internal, message }
}

function wordsOf({ message: detail, hint, errors = [] }: Problem): string {
  return [
    problemDetailForPeople({ detail, hint }),
    ...errors.map((each) => `${each.field}: ${each.message}`),
  ].join(' ')
}
