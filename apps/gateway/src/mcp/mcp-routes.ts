import { hash } from 'node:crypto'
import { bearerChallenge } from '@flamegate/auth'
import type { Authenticator, Confirmations } from '@flamegate/auth'
import { allows, Problem } from '@flamegate/contract'
import type { Operation, Principal, Scope } from '@flamegate/contract'
import type { IdentityStore } from '@flamegate/operations/ports'
import { noteForAccessLog } from '@flamegate/runtime'
import type { Logger } from '@flamegate/runtime'
import {
  buildToolRegistry,
  findTool,
  handsOn,
  hangUpSignal,
  mediaTypes,
  problemOf,
} from '@flamegate/surfaces'
import type { CallMarks, Library, ToolPolicy, ToolRegistry } from '@flamegate/surfaces'
import { toWebRequest } from '@modelcontextprotocol/node'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiAnswer } from '../api-caller.ts'
import { firstScopes } from '../oauth/resources.ts'
import type { Resources } from '../oauth/resources.ts'
import type { PatientApiCaller } from '../patient-api-caller.ts'
import { openAnswerStream } from './answer-stream.ts'
import { countGrantUse } from './grant-use.ts'
import { acceptsGzip, gzipAround } from './gzip-around.ts'
import { instructionsFor } from './instructions.ts'
import { errorMessage, resultAround, resultMessage, resultMessageWith, rpcErrorCodes } from './json-rpc.ts'
import type { MessageId } from './json-rpc.ts'
import { createListening } from './listening.ts'
import { readMessageBodies, UnreadableMessage } from './message-body.ts'
import { readPlainRequest } from './plain-request.ts'
import type { PlainRequest } from './plain-request.ts'
import { tellProgress } from './progress.ts'
import { createSdkEndpoint } from './sdk-endpoint.ts'
import { createRefusedTokens } from './refused-tokens.ts'
import { resultStamp, serverStamp } from './server-identity.ts'
import { declaresTasks, givesTasks } from './tasks.ts'
import { createToolCalls } from './tool-calls.ts'
import type { ToolCall } from './tool-calls.ts'
import type { ToolPack } from './tool-handlers.ts'
import type { ToolList } from './tool-listings.ts'
import { belowCaller } from './trace-context.ts'
import { visitorRules } from './visitor-rules.ts'
import { mayShowViews } from './view-clients.ts'
import { createVisitors } from './visitors.ts'
import type { Visitor } from './visitors.ts'

export interface McpOptions {
  /** What is listed; the catalogue's tools when left out. */
  buildRegistry?: ((policy: ToolPolicy) => ToolRegistry) | undefined
  /** Resources and prompts. */
  library: Library
  apiCaller: PatientApiCaller
  authenticator: Pick<Authenticator, 'authenticate' | 'isWithdrawn'>
  confirmations: Confirmations
  identity: Pick<IdentityStore, 'listMemberships' | 'watchVisibleChanges'> & {
    oauth: Pick<IdentityStore['oauth'], 'noteUse'>
  }
  resources: Resources
  publicUrl: string
  log: Logger
  allowedOrigins?: readonly string[] | undefined
  /** Tools that the registry lists besides those of the catalogue. */
  pack?: ToolPack
}

/**
 * The MCP endpoint: Streamable HTTP without sessions, the revisions up to 2025-11-25 and 2026-07-28 at one URL; and
 * at more URLs that show less, see address.ts.
 *
 *     request -> our host, no foreign page -> who is it (401) -> method (405) -> what is served there (404)
 *             -> plain tools/list or tools/call: answered here from kept listings and with the bytes of the API;
 *                everything else: the SDK
 */
export function mcpRoutes(options: McpOptions): FastifyPluginAsync {
  const { library, apiCaller, authenticator, confirmations, identity, resources, publicUrl, log, pack } =
    options
  const { buildRegistry = buildToolRegistry } = options
  const docsUrl = `${publicUrl}/v1/docs`
  const rules = visitorRules({ names: options.resources.names, allowedOrigins: options.allowedOrigins })
  const onError = (error: Error) => log.debug({ err: error }, 'MCP request refused')
  const listening = createListening({ authenticator, onError })
  const sdk = createSdkEndpoint({ publicUrl, library, listening, pack, onError })
  const grantUse = countGrantUse(identity.oauth, log)
  const visitors = createVisitors({ identity, buildRegistry, log })
  const callTool = createToolCalls({ confirmations, docsUrl })
  const principals = new WeakMap<FastifyRequest, Principal>()
  const refusedTokens = createRefusedTokens()
  const servesViews = library.resources.some(({ uri }) => uri.startsWith('ui://'))
  let isClosing = false

  async function authenticate(request: FastifyRequest, reply: FastifyReply) {
    const authentication = await authenticator.authenticate(
      { method: request.method, authorization: request.headers.authorization, address: request.ip },
      { audience: resources.mcp },
    )
    if ('failure' in authentication) return challenge(request, reply, authentication.failure)
    principals.set(request, authentication.principal)
    return undefined
  }

  /** Whoever was just refused waits until it is known what they call: see `refusedAgain`. */
  const authenticateUnlessRefused = async (request: FastifyRequest, reply: FastifyReply) =>
    refusedTokens.principalOf(request) === undefined ? authenticate(request, reply) : undefined

  /**
   * The refusal of whoever calls again in spite of it, without looking up their token: all that such a call costs is felt by everybody
   * else. Nothing but the refusal can come of it, so it does not matter whether the token was revoked in that second.
   */
  function refusedAgain(request: FastifyRequest, message: PlainRequest | undefined) {
    if (message?.method !== 'tools/call') return undefined
    const principal = refusedTokens.principalOf(request)
    const tool = findTool(message.name)
    if (principal === undefined || tool === undefined || handsOn(tool)) return undefined
    const answer = apiCaller.refusalOf(tool.operation, principal)
    if (answer === undefined) return undefined
    noteForAccessLog(request, { operation: tool.operation.id })
    return toolResultMessage(message, answer.body)
  }

  /** Says where to find out how to get a token, and what to ask for. */
  function challenge(
    request: FastifyRequest,
    reply: FastifyReply,
    { status, error, description, scope = firstScopes }: Challenge,
  ): FastifyReply {
    const resourceMetadataUrl = resources.metadataUrl(typedTarget(request), request.host)
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

  function callAs(request: FastifyRequest) {
    const { id: requestId, ip } = request
    return async (
      principal: Principal,
      operation: Operation,
      input: unknown,
      signal?: AbortSignal,
      marks: CallMarks = {},
    ) => {
      grantUse.note(principal.grantId)
      const answer = await apiCaller.call(operation, input, { principal, requestId, ip, ...marks }, signal)
      if (answer.callerLimit !== undefined) refusedTokens.note(request, principal)
      return answer
    }
  }

  /** A way to the operations that sees when a credential was not enough for one of them. */
  function desk(request: FastifyRequest, visitor: Visitor) {
    const { principal } = visitor
    const callAny = callAs(request)
    let refused: Challenge | undefined
    async function call(
      operation: Operation,
      input: unknown,
      signal?: AbortSignal,
      marks?: CallMarks,
    ): Promise<ApiAnswer> {
      const answer = await callAny(principal, operation, input, signal, marks)
      refused ??= refusal(answer.status, operation, principal)
      return answer
    }
    return {
      call,
      callTool: (sent: ToolCall, signal?: AbortSignal) =>
        callTool(sent, {
          ...visitor,
          callApi(operation, input, marks) {
            noteForAccessLog(request, { operation: operation.id })
            return call(operation, input, signal, marks)
          },
          look: (operation, input) => callAny(principal, operation, input, signal, forGateway),
        }),
      refused: () => refused,
    }
  }

  function listingFor({ body }: FastifyRequest, visitor: Visitor) {
    return visitors.listingFor(visitor, servesViews && mayShowViews(body))
  }

  async function answerPlain(
    request: FastifyRequest,
    reply: FastifyReply,
    visitor: Visitor,
    message: PlainRequest,
  ) {
    const { id, era } = message
    reply.header('content-type', 'application/json')
    if (message.method === 'ping') return reply.send(resultMessage(id, '{}'))
    if (message.method === 'tools/list') {
      const listing = await listingFor(request, visitor)
      return sendList(request, reply, id, listing.result(era))
    }
    if (mustGoToSdk(message)) return answerWithSdk(request, reply, visitor)
    // Hanging up means to cancel since 2026-07-28, and before that it meant nothing.
    const signal = era === 'modern' ? hangUpSignal(reply) : undefined
    const stream = openAnswerStream(reply)
    const { callTool: callHere, refused } = desk(request, visitor)
    try {
      const answer = await tellProgress(callHere(message, signal), message.meta?.progressToken, stream.tell)
      if (answer === undefined) throw new TypeError(`${message.name} was a tool a moment ago`)
      const challenged = refused()
      if (challenged !== undefined && !stream.hasBegun()) return challenge(request, reply, challenged)
      const sent = toolResultMessage(message, answer.body, answer.isQuestion)
      return stream.hasBegun() ? stream.end(sent) : reply.send(sent)
    } catch (error) {
      if (!stream.hasBegun()) throw error
      // Nobody else would end it: an error handler has no answer to give any more.
      return stream.end(
        errorMessage(rpcErrorCodes.internal, problemIn(request, error)?.message ?? defectWords, id),
      )
    }
  }

  async function answerWithSdk(request: FastifyRequest, reply: FastifyReply, visitor: Visitor) {
    const { callTool: callHere, call, refused } = desk(request, visitor)
    const response = await sdk.serve(
      await toWebRequest(request.raw, request.body, { signal: hangUpSignal(reply) }),
      request.body,
      {
        principal: visitor.principal,
        listing: await listingFor(request, visitor),
        instructions: instructionsFor(visitor.policy),
        callTool: callHere,
        call: (operation, input) => call(operation, input, undefined, forGateway),
      },
    )
    const challenged = refused()
    return challenged === undefined ? reply.send(response) : challenge(request, reply, challenged)
  }

  /** As it is or compressed, as the client wants it: the bytes are kept in both forms. */
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
      if (error instanceof Problem) return refuseAddress(request, reply, error)
      const problem = problemIn(request, error)
      if (problem?.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds)
      return reply
        .code(problem?.status ?? 500)
        .send(errorMessage(rpcErrorCodes.transport, problem?.message ?? defectWords))
    })
    app.addHook('onRequest', rules.refuseForeign)
    app.addHook('preClose', async () => {
      isClosing = true
      // Streams would keep the server from closing.
      await Promise.all([listening.close(), sdk.close()])
    })
    const changes = await identity.watchVisibleChanges(
      catalogueVersion(buildRegistry(everything)),
      (change) => {
        visitors.forget(change)
        listening.tell(change)
      },
    )
    app.addHook('onClose', async () => {
      await changes.close()
      await grantUse.close()
    })

    for (const url of ['/mcp', '/mcp/*']) {
      app.options(url, rules.answerPreflight)
      app.post(url, { onRequest: authenticateUnlessRefused }, async (request, reply) => {
        const message = readPlainRequest(request.body, request.headers)
        const again = refusedAgain(request, message)
        if (again !== undefined) return reply.header('content-type', 'application/json').send(again)
        if (!principals.has(request)) await authenticate(request, reply)
        if (reply.sent) return reply
        const principal = principalOf(request)
        const callAny = callAs(request)
        const visitor = await visitors.receive(
          request.url,
          request.headers,
          principal,
          (narrowed, operation, input) => callAny(narrowed, operation, input, undefined, forGateway),
        )
        return belowCaller(request.body, () =>
          message === undefined
            ? answerWithSdk(request, reply, visitor)
            : answerPlain(request, reply, visitor, message),
        )
      })
      // No streams to open and no sessions to end. Clients look here for the 401 first, so that comes before the 405.
      app.route({
        method: ['GET', 'PUT', 'PATCH', 'DELETE'],
        url,
        onRequest: [authenticate, refuseMethod],
        handler: refuseMethod,
      })
    }
  }

  /** Nothing is served there, or not to this person. */
  function refuseAddress(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
    if (problem.code === 'insufficient_scope' && principalOf(request).via === 'oauth') {
      const scope = [...new Set([...principalOf(request).scopes, ...firstScopes])]
      return challenge(request, reply, {
        status: 403,
        error: problem.code,
        description: problem.message,
        scope,
      })
    }
    if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds)
    return reply
      .code(problem.status)
      .type(mediaTypes.problem)
      .send(JSON.stringify(problem.toDetails(docsUrl, request.id)))
  }
}

const defectWords = 'Something went wrong on our side.'

/** What is wrong, for whoever called; a defect of ours is undefined, and logged. */
function problemIn(request: FastifyRequest, error: unknown): Problem | undefined {
  const problem = problemOf(error)
  if (problem === undefined) request.log.error({ err: error }, 'unexpected error')
  return problem
}

/** What it asks for itself. */
const forGateway: CallMarks = { isForGateway: true }

const everything: ToolPolicy = {
  selection: 'all',
  isReadOnly: false,
  fixes: 'nothing',
  hasOutputSchemas: true,
}

/** The result of a tool, which is an object as JSON, as its era has it. */
function toolResultMessage({ id, era }: PlainRequest, body: string | Buffer, isQuestion = false) {
  return era === 'legacy'
    ? resultMessage(id, body)
    : resultMessageWith(id, isQuestion ? serverStamp : resultStamp, body)
}

/** What is no tool of the catalogue, and what may become a task, is for the SDK to answer. */
function mustGoToSdk({ name, meta }: Extract<PlainRequest, { method: 'tools/call' }>): boolean {
  const tool = findTool(name)
  return tool === undefined || ((givesTasks(tool.operation) || handsOn(tool)) && declaresTasks(meta))
}

/** Names what the tools are, so that processes can tell whether they offer the same. */
function catalogueVersion({ toolsJson }: ToolRegistry): string {
  return hash('sha256', toolsJson, 'base64url')
}

interface Challenge {
  status: 401 | 403
  error: string | undefined
  description: string
  scope?: readonly Scope[]
}

/**
 * What of the API's answer is about the credential and not about the call. A client that came by OAuth can ask the
 * person for more, so it is told all scopes to ask for (step-up, 2026-07-28 authorization, "insufficient_scope"), and
 * so is a machine that asked for less than its API token covers. An API token itself cannot grow, so that its refusal
 * stays a tool result that a model can read.
 */
function refusal(status: number, operation: Operation, principal: Principal): Challenge | undefined {
  if (status === 401) return { status, error: 'invalid_token', description: 'The token was revoked.' }
  const { via, scopes, reachableScopes = [] } = principal
  const [needed] = operation.scopes
  const canAsk = via === 'oauth' || allows(reachableScopes, [needed])
  if (status !== 403 || !canAsk || allows(scopes, operation.scopes)) return undefined
  const scope = [...new Set([...scopes, needed])]
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
