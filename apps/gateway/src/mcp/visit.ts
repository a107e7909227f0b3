import type { AnswerOf, Operation, Principal } from '@flamegate/contract'
import type { ToolRegistry } from '@flamegate/surfaces'
import { isCallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ApiAnswer } from '../api-caller.ts'
import type { CallTool } from './tool-calls.ts'

/** One request that the SDK serves: who sent it, what they are shown, and the way to the operations in their name. */
export interface Visit {
  principal: Principal
  /** The tools that they are shown; the same object for the same tools, because what is read of it is kept. */
  listing: Pick<ToolRegistry, 'toolsJson'>
  /** For the agent, before it has seen a tool. */
  instructions: string
  callTool: CallTool
  /** Calls an operation that may be no tool of theirs, for what is no tool call. */
  call(operation: Operation, input: unknown): Promise<ApiAnswer>
}

/**
 * What an operation answers the visitor, as data; undefined when there is no such thing or its id cannot be one.
 * @throws ProtocolError in the words of the API when it cannot answer
 */
export async function ask<O extends Operation>(
  visit: Visit,
  operation: O,
  input: Record<string, unknown>,
): Promise<AnswerOf<O> | undefined> {
  const answer = await visit.call(operation, input)
  if (answer.status === 404 || answer.status === 400) return undefined
  const { content, structuredContent } = read(operation, answer)
  if (isAnswerOf(operation, structuredContent)) return structuredContent
  const [first] = content
  throw new ProtocolError(
    ProtocolErrorCode.InternalError,
    first?.type === 'text' ? first.text : `${operation.id} did not answer.`,
  )
}

function isAnswerOf<O extends Operation>(operation: O, value: unknown): value is AnswerOf<O> {
  return operation.answer.safeParse(value).success
}

function read(operation: Operation, { body }: ApiAnswer): CallToolResult {
  const result: unknown = JSON.parse(body.toString())
  if (!isCallToolResult(result)) throw new TypeError(`${operation.id}: the API gave no tool result`)
  return result
}
