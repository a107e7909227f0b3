import {
  catalogue,
  findOperation,
  operations,
  Problem,
  type LimitState,
  type Operation,
  type Principal,
} from '@flamegate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  answerBytes,
  answerMarkdown,
  answerPayload,
  mediaTypes,
  representationFor,
  toolResultJson,
  wholeResultJson,
} from '../representation.ts'
import type { CallMarks } from './call-marks.ts'
import { hangUpSignal } from './hang-up.ts'
import { largeBodies } from './large-bodies.ts'
import { problemHandler } from './problem-reply.ts'
import { queryReader } from './query-input.ts'
import { rateLimitField } from './rate-limit-fields.ts'

type Answer = Record<string, unknown> & { url: string }

/** What the routes need from the inside. */
export interface RestOptions {
  execute: (
    operation: Operation,
    input: unknown,
    origin: {
      principal: Principal
      requestId: string
      ip: string
      noteLimits: (states: readonly LimitState[]) => void
      signal: AbortSignal
    } & CallMarks,
  ) => Promise<Answer>
  /** Who is calling. @throws Problem `unauthenticated` */
  identify: (request: FastifyRequest, reply: FastifyReply) => Promise<Principal>
  /** What the gateway says about a call, where its word counts. */
  marks: (request: FastifyRequest) => CallMarks
  /** Runs a creating call once per key; the same key again gives the first answer. */
  once: (
    principal: Principal,
    key: string,
    operation: Operation,
    input: unknown,
    run: () => Promise<Answer>,
  ) => Promise<Answer>
  /** Called when an operation refuses for want of a scope, to add the challenge header. */
  challengeScope: (reply: FastifyReply, operation: Operation) => void
  /** Where problems are explained; the code is the anchor. */
  docsUrl: string
  /** Tells the access log which operation a request was. */
  note: (request: FastifyRequest, operation: Operation) => void
}

const idempotencyKeyMax = 200

/** The largest body of a call, also of a message over MCP: what is larger goes through an upload. */
export const callBytesMax = 4 * 2 ** 20
const asCall = { bodyLimit: callBytesMax }

/** Every operation of the catalogue as a route, and `POST /v1/tools/{name}` which calls any tool by name. */
export function restRoutes(app: FastifyInstance, options: RestOptions): void {
  app.setErrorHandler(problemHandler(options.docsUrl))
  const large = largeBodies(options.identify)

  for (const operation of catalogue) {
    const read = queryReader(operation)
    const hasBody = operation.http.method !== 'GET' && operation.http.method !== 'DELETE'
    app.route<{ Params: Record<string, string>; Querystring: Record<string, unknown> }>({
      method: operation.http.method,
      url: operation.http.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      ...asCall,
      ...large.optionsOf(operation),
      handler: async (request, reply) => {
        const principal = large.callerOf(request) ?? (await options.identify(request, reply))
        const path = read(request.params)
        const query = read(request.query)
        const input = hasBody ? { ...objectBody(request), ...path } : { ...query, ...path }
        return answer(operation, ifMatch(operation, input, request), request, reply, principal)
      },
    })
  }

  app.post<{ Params: { name: string } }>('/v1/tools/:name', asCall, async (request, reply) => {
    const principal = await options.identify(request, reply)
    const { name } = request.params
    const operation = findOperation(name)
    if (operation === undefined || !operation.mcp) {
      throw new Problem('tool_not_found', `There is no tool ${name}.`, {
        hint: [operations.findTools, 'finds one for a question'],
      })
    }
    return answer(operation, objectBody(request), request, reply, principal)
  })

  app.post<{ Params: { name: string } }>('/v1/tools/:name/confirmations', asCall, async (request, reply) => {
    const principal = await options.identify(request, reply)
    const operation = findOperation(request.params.name)
    const { confirmation } = options.marks(request)
    if (operation === undefined || confirmation === undefined || confirmation === 'given') {
      throw new Problem('not_found', 'This is for our own gateway.')
    }
    return answer(operation, objectBody(request), request, reply, principal)
  })

  // A route, not a not-found handler: the web app's addresses beside these are another matter.
  app.all('/v1/*', (request) => {
    throw new Problem(
      'not_found',
      `There is nothing at ${request.method} ${request.url.split('?')[0]}. See ${options.docsUrl}.`,
    )
  })

  async function answer(
    operation: Operation,
    input: Record<string, unknown>,
    request: FastifyRequest,
    reply: FastifyReply,
    principal: Principal,
  ): Promise<FastifyReply> {
    options.note(request, operation)
    const limits: LimitState[] = []
    const marks = options.marks(request)
    const run = () =>
      options.execute(operation, input, {
        principal,
        requestId: request.id,
        ip: request.ip,
        noteLimits: (states) => void limits.push(...states),
        signal: hangUpSignal(reply),
        ...marks,
      })
    const key = idempotencyKey(operation, request)
    const result = await (
      key === undefined ? run() : options.once(principal, key, operation, input, run)
    ).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'insufficient_scope')
        options.challengeScope(reply, operation)
      throw error
    })
    const version = operation.version?.(result)
    if (version !== undefined) reply.header('etag', `"${version}"`)
    if (limits.length > 0) reply.header('ratelimit', rateLimitField(limits))
    reply.code(operation.http.status).header('cache-control', 'no-store')
    const representation = representationFor(request.headers.accept)
    const bytes = representation === 'bytes' ? answerBytes(operation, result) : undefined
    if (bytes !== undefined) return reply.type(mediaTypes.bytes).send(bytes)
    switch (representation) {
      case 'toolResult':
        return reply
          .type(mediaTypes.toolResult)
          .send(marks.isForGateway === true ? wholeResultJson(result) : toolResultJson(operation, result))
      case 'markdown':
        return reply.type(`${mediaTypes.markdown}; charset=utf-8`).send(answerMarkdown(operation, result))
      default:
        return reply.type(`${mediaTypes.json}; charset=utf-8`).send(answerPayload(result))
    }
  }
}

function objectBody(request: FastifyRequest): Record<string, unknown> {
  const { body } = request
  if (body === undefined || body === null) return {}
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new Problem('malformed_request', 'The body must be a JSON object.')
  }
  return { ...body }
}

/** RFC 9110 If-Match on documents that are edited: the version they must still have. */
function ifMatch(
  operation: Operation,
  input: Record<string, unknown>,
  request: FastifyRequest,
): Record<string, unknown> {
  const header = request.headers['if-match']
  if (header === undefined || header === '*' || !('if_version' in operation.input.shape)) return input
  const version = /^(?:W\/)?"(\d+)"$/.exec(header)?.[1]
  if (version === undefined) {
    throw new Problem(
      'version_mismatch',
      'If-Match must be the ETag of the document as you read it, such as "3".',
    )
  }
  return { ...input, if_version: Number(version) }
}

function idempotencyKey(operation: Operation, request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (operation.http.method !== 'POST' || operation.effect === 'read' || key === undefined) return undefined
  if (typeof key !== 'string' || key === '' || key.length > idempotencyKeyMax) {
    throw new Problem(
      'malformed_request',
      `Idempotency-Key must be one text of 1 to ${idempotencyKeyMax} characters.`,
    )
  }
  return key
}
