import type { Operation } from '@flamegate/contract'
import type { ToolRegistry } from '@flamegate/surfaces'
import {
  createMcpHandler,
  isCallToolResult,
  isLegacyRequest,
  isSpecType,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import type { ApiAnswer } from '../api-caller.ts'
import { capabilities, instructions, listCaching, serverInfo } from './server-identity.ts'

/** Calls a tool in the name of whoever sent the request at hand. */
export type CallTool = (operation: Operation, input: unknown) => Promise<ApiAnswer>

/** MCP as the SDK speaks it: every method, both eras, nothing remembered between requests. */
export interface SdkEndpoint {
  /** `message` is the request's body. */
  serve(request: Request, message: unknown, callTool: CallTool): Promise<Response>
  /** Ends the streams that are open. */
  close(): Promise<void>
}

export interface SdkEndpointOptions {
  registry: ToolRegistry
  publicUrl: string
  /** Told why requests were refused. */
  onError: (error: Error) => void
}

export function createSdkEndpoint({ registry, publicUrl, onError }: SdkEndpointOptions): SdkEndpoint {
  // Read back from JSON, which is what clients get.
  const list: unknown = JSON.parse(`{"tools":${registry.toolsJson}}`)
  if (!isSpecType.ListToolsResult(list)) throw new TypeError('These are not tools as MCP lists them')
  const { tools } = list
  const info = serverInfo(publicUrl)
  const options = {
    capabilities,
    instructions,
    cacheHints: { 'tools/list': listCaching, 'server/discover': listCaching },
    // Shared, because making one takes longer than all the rest of a request.
    jsonSchemaValidator: new AjvJsonSchemaValidator(),
  }
  const callsOf = new WeakMap<Request, CallTool>()

  function createServer(callTool: CallTool): Server {
    const server = new Server(info, options)
    server.setRequestHandler('tools/list', ({ params }) => {
      if (params?.cursor !== undefined) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is only one page of tools.')
      }
      return { tools }
    })
    server.setRequestHandler('tools/call', async ({ params }) => {
      const operation = registry.operations.get(params.name)
      if (operation === undefined) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`)
      }
      const { body } = await callTool(operation, params.arguments)
      const result: unknown = JSON.parse(body.toString())
      if (!isCallToolResult(result)) throw new TypeError(`${operation.id}: the API gave no tool result`)
      return result
    })
    // Asked for by clients whether or not there are any.
    server.setRequestHandler('resources/list', () => ({ resources: [] }))
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
    server.setRequestHandler('prompts/list', () => ({ prompts: [] }))
    return server
  }

  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const callTool = requestInfo && callsOf.get(requestInfo)
      if (!callTool) throw new TypeError('A request came in by another way than serve()')
      return createServer(callTool)
    },
    { legacy: 'reject', onerror: onError },
  )

  // The SDK's own stateless serving of the old era always answers with a stream; this is the same with JSON.
  async function serveLegacy(request: Request, message: unknown, callTool: CallTool): Promise<Response> {
    const server = createServer(callTool)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    })
    await server.connect(transport)
    try {
      return await transport.handleRequest(request, { parsedBody: message })
    } finally {
      await server.close()
    }
  }

  return {
    async serve(request, message, callTool) {
      if (await isLegacyRequest(request, message)) return serveLegacy(request, message, callTool)
      callsOf.set(request, callTool)
      return modern.fetch(request, { parsedBody: message })
    },
    close: () => modern.close(),
  }
}
