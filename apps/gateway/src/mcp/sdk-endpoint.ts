import type { Library } from '@flamegate/surfaces'
import {
  createMcpHandler,
  isLegacyRequest,
  legacyStatelessFallback,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { JSONRPCRequest, Result, ServerContext } from '@modelcontextprotocol/server'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { z } from 'zod'
import { serveLibrary } from './library-handlers.ts'
import type { Listening } from './listening.ts'
import { batchRefusal, listOfAnswers, speakOldErrors, withoutCancelling } from './old-era.ts'
import { acceptsAnything } from './plain-request.ts'
import type { Era } from './plain-request.ts'
import { capabilities, listCaching, serverInfo } from './server-identity.ts'
import { serveSkills } from './skills.ts'
import { apiTasks, serveTasks } from './tasks.ts'
import { serveTools } from './tool-handlers.ts'
import type { ToolPack } from './tool-handlers.ts'
import type { Visit } from './visit.ts'

/** MCP as the SDK speaks it: every method, both eras, nothing remembered between requests. */
export interface SdkEndpoint {
  /** `message` is the request's body. */
  serve(request: Request, message: unknown, visit: Visit): Promise<Response>
  /** Ends the streams that are open. */
  close(): Promise<void>
}

export interface SdkEndpointOptions {
  publicUrl: string
  library: Library
  /** Who waits for changes, on `subscriptions/listen`. */
  listening: Listening
  /** Tools besides those of the catalogue. */
  pack?: ToolPack | undefined
  /** Told why requests were refused. */
  onError: (error: Error) => void
}

export function createSdkEndpoint(options: SdkEndpointOptions): SdkEndpoint {
  const { publicUrl, library, listening, pack, onError } = options
  const info = serverInfo(publicUrl)
  const shared = {
    cacheHints: {
      'tools/list': listCaching,
      'server/discover': listCaching,
      'resources/list': listCaching,
      'resources/templates/list': listCaching,
      'prompts/list': listCaching,
    },
    // Shared, because making one takes longer than all the rest of a request.
    jsonSchemaValidator: new AjvJsonSchemaValidator(),
  } as const
  const visits = new WeakMap<Request, Visit>()

  function createServer(visit: Visit, era: Era): Server {
    const server = new TaskServer(info, {
      ...shared,
      instructions: visit.instructions,
      capabilities: capabilities[era],
    })
    const tasks = pack?.tasks ?? apiTasks(visit)
    serveTools(server, visit, tasks, pack)
    serveLibrary(server, library, visit)
    if (era === 'modern') {
      serveTasks(server, tasks)
      serveSkills(server, library)
    }
    return server
  }

  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const visit = requestInfo && visits.get(requestInfo)
      if (!visit) throw new TypeError('A request came in by another way than serve()')
      return createServer(visit, 'modern')
    },
    { legacy: 'reject', onerror: onError },
  )

  async function serveLegacy(request: Request, message: unknown, visit: Visit): Promise<Response> {
    const refusal = batchRefusal(message, request.headers.get('mcp-protocol-version'))
    if (refusal !== undefined) return refusal
    const parsed = { parsedBody: withoutCancelling(message) }
    // The SDK looks for the two types by name.
    if (acceptsAnything(request.headers.get('accept')))
      request.headers.set('accept', 'application/json, text/event-stream')
    if (isCallOf(pack, message)) {
      return legacyStatelessFallback(() => createServer(visit, 'legacy'), onError)(request, parsed)
    }
    // The SDK's own stateless serving of the old era always answers with a stream; this is the same with JSON.
    const server = createServer(visit, 'legacy')
    const transport = speakOldErrors(
      new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: undefined,
        enableJsonResponse: true,
      }),
    )
    await server.connect(transport)
    try {
      const response = await transport.handleRequest(request, parsed)
      return Array.isArray(message) ? await listOfAnswers(response) : response
    } finally {
      await server.close()
    }
  }

  return {
    async serve(request, message, visit) {
      if (await isLegacyRequest(request, message)) return serveLegacy(request, message, visit)
      if (isRequestFor(message, 'subscriptions/listen')) {
        return listening.serve(request, message, visit.principal, () => createServer(visit, 'modern'))
      }
      visits.set(request, visit)
      return modern.fetch(request, { parsedBody: message })
    },
    close: () => modern.close(),
  }
}

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>

/**
 * What does not fit its method the SDK refuses with an Error of nothing but its schema's words, which it answers as a defect
 * of ours (-32603).
 */
function tellingWhatIsWrong(method: string, handler: Handler): Handler {
  return async (request, context) => {
    try {
      return await handler(request, context)
    } catch (error) {
      const issues = issuesOf(error)
      if (issues === undefined) throw error
      const fields = issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Invalid params for ${method}. ${fields.join('; ')}`,
      )
    }
  }
}

const schemaIssues = z.array(
  z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }),
)

function issuesOf(error: unknown): z.infer<typeof schemaIssues> | undefined {
  if (!(error instanceof Error) || !error.message.startsWith('[')) return undefined
  try {
    return schemaIssues.safeParse(JSON.parse(error.message)).data
  } catch {
    return undefined
  }
}

/** The SDK takes what answers `tools/call` for a tool's result, and adds a `content` to a task. */
class TaskServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super['_wrapHandler'](method, tellingWhatIsWrong(method, handler))
    if (method !== 'tools/call') return wrapped
    return async (request, context) => {
      const { content, ...result } = await wrapped(request, context)
      return result['resultType'] === 'task' ? result : { content, ...result }
    }
  }
}

function isRequestFor(message: unknown, method: string): message is { method: string; params?: unknown } {
  return typeof message === 'object' && message !== null && 'method' in message && message.method === method
}

/** What of the pack is called may send messages before its answer. */
function isCallOf(pack: ToolPack | undefined, message: unknown): boolean {
  if (pack === undefined || !isRequestFor(message, 'tools/call')) return false
  const { params } = message
  return pack.tools.some(
    ({ name }) => typeof params === 'object' && params !== null && 'name' in params && params.name === name,
  )
}
