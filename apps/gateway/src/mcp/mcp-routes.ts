import { bearerChallenge } from '@flamegate/auth'
import type { Authenticator } from '@flamegate/auth'
import { allows } from '@flamegate/contract'
import type { Operation, Principal, Scope } from '@flamegate/contract'
import type { IdentityStore } from '@flamegate/operations/ports'
import { noteForAccessLog } from '@flamegate/runtime'
import type { Logger } from '@flamegate/runtime'
import { problemOf, type ToolRegistry } from '@flamegate/surfaces'
import { toWebRequest } from '@modelcontextprotocol/node'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiAnswer, ApiCaller } from '../api-caller.ts'
import { firstScopes } from '../oauth/resources.ts'
import type { Resources } from '../oauth/resources.ts'
import { countGrantUse } from './grant-use.ts'
import { acceptsGzip, compressMiddle, gzipAround } from './gzip-around.ts'
import type { CompressedMiddle } from './gzip-around.ts'
import { errorMessage, resultAround, resultMessage, resultMessageWith, rpcErrorCodes } from './json-rpc.ts'
import type { MessageId } from './json-rpc.ts'
import { readMessageBodies, UnreadableMessage } from './message-body.ts'
import { readPlainRequest } from './plain-request.ts'
import type { PlainRequest } from './plain-request.ts'
import { createSdkEndpoint } from './sdk-endpoint.ts'
import { listCaching, resultStamp } from './server-identity.ts'
import { visitorRules } from './visitor-rules.ts'

export interface McpOptions {
  registry: ToolRegistry
  apiCaller: ApiCaller
  authenticator: Pick<Authenticator, 'authenticate'>
  oauth: Pick<IdentityStore['oauth'], 'noteUse'>
  resources: Resources
  publicUrl: string
  log: Logger
  allowedHosts?: readonly string[] | undefined
  allowedOrigins?: readonly string[] | undefined
}

/**
 * The MCP endpoint: Streamable HTTP without sessions, the revisions up to 2025-11-25 and 2026-07-28 at one URL.
 *
 *     request -> our host, no foreign page -> who is it (401) -> method (405) -> plain tools/list or tools/call:
 *                answered here from the registry and with the bytes of the API; everything else: the SDK
 */
export function mcpRoutes(options: McpOptions): FastifyPluginAsync {
  const { registry, apiCaller, authenticator, oauth, resources, publicUrl, log } = options
  const rules = visitorRules(options)
  const sdk = createSdkEndpoint({
    registry,
    publicUrl,
    onError: (error) => log.debug({ err: error }, 'MCP request refused'),
  })
  const grantUse = countGrantUse(oauth, log)
  const principals = new WeakMap<FastifyRequest, Principal>()
  let isClosing = false

  const listed = `"tools":${registry.toolsJson}`
  const toolLists = {
    legacy: toolList(`{${listed}}`),
    modern: toolList(
      `{${resultStamp},"ttlMs":${listCaching.ttlMs},"cacheScope":"${listCaching.cacheScope}",${listed}}`,
    ),
  }

  async function authenticate(request: FastifyRequest, reply: FastifyReply) {
    const authentication = await authenticator.authenticate(
      { method: request.method, authorization: request.headers.authorization },
      { audience: resources.mcp },
    )
    if ('failure' in authentication) return challenge(request, reply, authentication.failure)
    principals.set(request, authentication.principal)
    return undefined
  }

  /** Says where to find out how to get a token, and what to ask for. */
  function challenge(
    request: FastifyRequest,
    reply: FastifyReply,
    { status, error, description, scope = firstScopes }: Challenge,
  ): FastifyReply {
    const resourceMetadataUrl = resources.metadataUrl(typedTarget(request))
    return reply
      .code(status)
      .header('www-authenticate', bearerChallenge({ error, description, scope, resourceMetadataUrl }))
      .send({ error: error ?? 'invalid_request', error_description: description })
  }

  function principalOf(request: FastifyRequest): Principal {
    const principal = principals.get(request)
    if (!principal) throw new TypeError('Nobody may come here unauthenticated')
    return principal
  }

  function callerOf(request: FastifyRequest) {
    const principal = principalOf(request)
    return (operation: Parameters<ApiCaller['call']>[0], input: unknown): Promise<ApiAnswer> => {
      grantUse.note(principal.grantId)
      return apiCaller.call(operation, input, { principal, requestId: request.id, ip: request.ip })
    }
  }

  async function answerPlain(request: FastifyRequest, reply: FastifyReply, message: PlainRequest) {
    const { id, era } = message
    reply.header('content-type', 'application/json')
    if (message.method === 'ping') return reply.send(resultMessage(id, '{}'))
    if (message.method === 'tools/list') return sendList(request, reply, id, toolLists[era])
    const operation = registry.operations.get(message.name)
    if (operation === undefined) return answerWithSdk(request, reply)
    noteForAccessLog(request, { operation: operation.id })
    const { status, body } = await callerOf(request)(operation, message.input)
    const refused = refusal(status, operation, principalOf(request))
    if (refused !== undefined) return challenge(request, reply, refused)
    return reply.send(era === 'legacy' ? resultMessage(id, body) : resultMessageWith(id, resultStamp, body))
  }

  async function answerWithSdk(request: FastifyRequest, reply: FastifyReply) {
    const closed = new AbortController()
    reply.raw.once('close', () => closed.abort())
    const call = callerOf(request)
    let refused: Challenge | undefined
    const response = await sdk.serve(
      await toWebRequest(request.raw, request.body, { signal: closed.signal }),
      request.body,
      async (operation, input) => {
        const answer = await call(operation, input)
        refused ??= refusal(answer.status, operation, principalOf(request))
        return answer
      },
    )
    return refused === undefined ? reply.send(response) : challenge(request, reply, refused)
  }

  /** As it is or compressed, as the client wants it: the bytes were made at start in both forms. */
  function sendList(request: FastifyRequest, reply: FastifyReply, id: MessageId, list: ToolList) {
    const [head, tail] = resultAround(id)
    reply.header('vary', reply.hasHeader('vary') ? 'origin, accept-encoding' : 'accept-encoding')
    const compressed = acceptsGzip(request.headers['accept-encoding'])
      ? gzipAround(head, list.compressed, tail)
      : undefined
    if (compressed === undefined) return sendPieces(reply, [head, list.plain, tail])
    reply.header('content-encoding', 'gzip')
    return sendPieces(reply, compressed)
  }

  /** Past Fastify, which sends one piece: joining them would copy 100 kB for each answer. */
  function sendPieces(reply: FastifyReply, pieces: readonly (string | Buffer)[]): FastifyReply {
    const sizeBytes = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
    reply.header('content-length', sizeBytes)
    if (isClosing) reply.header('connection', 'close')
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    for (const piece of pieces) reply.raw.write(piece)
    reply.raw.end()
    return reply
  }

  return async (app) => {
    readMessageBodies(app)
    app.setErrorHandler((error, request, reply) => {
      reply.type('application/json')
      if (error instanceof UnreadableMessage) {
        return reply.code(400).send(errorMessage(rpcErrorCodes.parseError, `Parse error: ${error.message}`))
      }
      const problem = problemOf(error)
      if (problem === undefined) request.log.error({ err: error }, 'unexpected error')
      return reply
        .code(problem?.status ?? 500)
        .send(errorMessage(rpcErrorCodes.transport, problem?.message ?? 'Something went wrong on our side.'))
    })
    app.addHook('onRequest', rules.refuseForeign)
    app.addHook('preClose', () => {
      isClosing = true
      // Streams would keep the server from closing.
      return sdk.close()
    })
    app.addHook('onClose', () => grantUse.close())

    app.options('/mcp', rules.answerPreflight)
    app.post('/mcp', { onRequest: authenticate }, async (request, reply) => {
      const message = readPlainRequest(request.body, request.headers)
      return message === undefined ? answerWithSdk(request, reply) : answerPlain(request, reply, message)
    })
    // No streams to open and no sessions to end. Clients look here for the 401 first, so that comes before the 405.
    app.route({
      method: ['GET', 'PUT', 'PATCH', 'DELETE'],
      url: '/mcp',
      onRequest: [authenticate, refuseMethod],
      handler: refuseMethod,
    })
  }
}

/** The result of `tools/list`. */
interface ToolList {
  plain: Buffer
  compressed: CompressedMiddle
}

function toolList(json: string): ToolList {
  const plain = Buffer.from(json)
  return { plain, compressed: compressMiddle(plain) }
}

interface Challenge {
  status: 401 | 403
  error: string | undefined
  description: string
  scope?: readonly Scope[]
}

/**
 * What of the API's answer is about the credential and not about the call. A client that came by OAuth can ask the
 * person for more, so it is told all scopes to ask for (step-up, 2026-07-28 authorization, "insufficient_scope");
 * an API token cannot grow, so that its refusal stays a tool result that a model can read.
 */
function refusal(status: number, operation: Operation, { via, scopes }: Principal): Challenge | undefined {
  if (status === 401) return { status, error: 'invalid_token', description: 'The token was revoked.' }
  if (status !== 403 || via !== 'oauth' || allows(scopes, operation.scopes)) return undefined
  const scope = [...new Set([...scopes, operation.scopes[0]])]
  return {
    status,
    error: 'insufficient_scope',
    description: `${operation.id} needs the scope ${operation.scopes.join(' or ')}.`,
    scope,
  }
}

async function refuseMethod(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return reply
    .code(405)
    .header('allow', 'POST')
    .type('application/json')
    .send(errorMessage(rpcErrorCodes.transport, 'Method not allowed.'))
}

/** Path and query as the client typed them, for a header: only what a URL consists of, or the path alone. */
function typedTarget({ url }: FastifyRequest): string {
  return /^[\w\-.~!$&()*+,;=:@/?%]*$/.test(url) ? url : '/mcp'
}
