import {
  CLIENT_CAPABILITIES_META_KEY,
  isCallToolResult,
  isInputRequiredResult,
  isSpecType,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import type { Result, Server, ServerContext, Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { tellProgress } from './progress.ts'
import { awaitedTask, createTaskResult, declaresTasks } from './tasks.ts'
import type { TaskBoard } from './tasks.ts'
import type { Visit } from './visit.ts'

/** Tools that are no operations of the catalogue, and the tasks that they start. */
export interface ToolPack {
  /** As they are listed, which is for the listing to do. */
  tools: readonly Tool[]
  /** A result, or what else `tools/call` may answer; undefined for a tool that is not in the pack. */
  call(
    name: string,
    input: Record<string, unknown>,
    context: ServerContext,
  ): Promise<Record<string, unknown>> | undefined
  tasks: TaskBoard
}

/** Serves `tools/list` and `tools/call`: from the pack what is in it, everything else as the visit says. */
export function serveTools(server: Server, visit: Visit, tasks: TaskBoard, pack: ToolPack | undefined): void {
  async function callTool(
    { name, arguments: input }: z.output<typeof toolCall>,
    { mcpReq }: ServerContext,
  ): Promise<Result> {
    const { _meta: meta } = mcpReq
    const declared: Record<string, unknown> | undefined = mcpReq.envelope
    const call = visit.callTool(
      {
        name,
        input,
        capabilities: declared?.[CLIENT_CAPABILITIES_META_KEY],
        inputResponses: mcpReq.inputResponses,
        requestState: mcpReq.requestState(),
      },
      mcpReq.signal,
    )
    const answer = await tellProgress(call, meta?.progressToken, (params) => {
      // When it cannot be told any more, the call ends in its own way.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
    })
    if (answer === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`)
    }
    const result: unknown = JSON.parse(answer.body.toString())
    if (isInputRequiredResult(result) || isCallToolResult(result)) return result
    throw new TypeError(`${name}: the API gave no tool result`)
  }

  server.setRequestHandler('tools/list', ({ params }) => {
    if (params?.cursor !== undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is only one page of tools.')
    }
    return { tools: toolsOf(visit.listing) }
  })
  server.setRequestHandler('tools/call', { params: toolCall }, async (params, context): Promise<Result> => {
    const fromPack = pack?.call(params.name, params.arguments ?? {}, context)
    if (fromPack !== undefined) return fromPack
    const result = await callTool(params, context)
    const taskId = declaresTasks(context.mcpReq.envelope) ? awaitedTask(result) : undefined
    const detail = taskId === undefined ? undefined : await tasks.find(taskId)
    return detail === undefined ? result : createTaskResult(detail)
  })
}

/** What of it is for us; with it, a handler may answer more than a tool's result: a task. */
const toolCall = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() })

const listed = new WeakMap<Visit['listing'], Tool[]>()

/** Read back from JSON, which is what clients get; once per listing. */
function toolsOf(listing: Visit['listing']): Tool[] {
  const known = listed.get(listing)
  if (known) return known
  const list: unknown = JSON.parse(`{"tools":${listing.toolsJson}}`)
  if (!isSpecType.ListToolsResult(list)) throw new TypeError('These are not tools as MCP lists them')
  listed.set(listing, list.tools)
  return list.tools
}
