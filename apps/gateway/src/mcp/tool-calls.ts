import type { Confirmations } from '@flamegate/auth'
import { allows, Problem, problems, statedInput } from '@flamegate/contract'
import type { Operation, Principal } from '@flamegate/contract'
import {
  confirmField,
  findTool,
  handsOn,
  inputAt,
  needsConfirmation,
  problemResultJson,
  whyForbidden,
  whyHidden,
} from '@flamegate/surfaces'
import type { CallMarks, Place, Tool, ToolPolicy } from '@flamegate/surfaces'
import type { ApiAnswer } from '../api-caller.ts'
import { createConfirming } from './confirming.ts'

/** `tools/call`, as it was sent. */
export interface ToolCall {
  name: string
  input: Record<string, unknown> | undefined
  /** What the client says of itself with each request of 2026-07-28; undefined before that revision. */
  capabilities?: unknown
  /** What the client brought because the round before asked for it, and what it was told to bring back with it. */
  inputResponses?: unknown
  requestState?: unknown
}

/** What comes of it. */
export interface ToolAnswer extends ApiAnswer {
  /** It is an `InputRequiredResult`, with its own `resultType`: the client has to bring something first. */
  isQuestion?: boolean
}

/** Calls a tool in the name of whoever sent the request at hand; undefined when there is no such tool. */
export type CallTool = (call: ToolCall, signal?: AbortSignal) => Promise<ToolAnswer | undefined>

/** Who calls, what they are shown, where they are, and their way to the operations. */
export interface ToolVisitor {
  principal: Principal
  policy: ToolPolicy
  place: Place | undefined
  callApi: (operation: Operation, input: unknown, marks: CallMarks) => Promise<ApiAnswer>
  /** The same for a look at something that decides nothing. */
  look: (operation: Operation, input: unknown) => Promise<ApiAnswer>
}

export interface ToolCallOptions {
  confirmations: Confirmations
  /** Where problems are explained. */
  docsUrl: string
}

/**
 * From a name and arguments to an operation and its input:
 *
 *     name -> is it shown here? -> call_tool: the tool within -> the address's place -> the alias's arguments
 *          -> confirmed? -> operation
 */
export function createToolCalls({ confirmations, docsUrl }: ToolCallOptions) {
  const objectionTo = createConfirming(confirmations)

  async function perform(
    tool: Tool,
    sent: Record<string, unknown> | undefined,
    call: ToolCall,
    visitor: ToolVisitor,
    marks: CallMarks,
  ): Promise<ToolAnswer> {
    const { callApi, place, policy } = visitor
    const { operation } = tool
    const input = tool.toInput(place === undefined ? (sent ?? {}) : inputAt(tool, sent ?? {}, place))
    if (needsConfirmation(tool)) return performConfirmed(tool, input, call, visitor, marks)
    const answer = await callApi(operation, input, marks)
    return policy.hasOutputSchemas ? withStructure(answer) : answer
  }

  async function performConfirmed(
    { operation }: Tool,
    input: Record<string, unknown>,
    call: ToolCall,
    visitor: ToolVisitor,
    marks: CallMarks,
  ): Promise<ToolAnswer> {
    const { callApi, look, principal } = visitor
    const { [confirmField]: token, ...bare } = input
    const isOwnField = confirmField in operation.input.shape
    const asked = isOwnField ? input : bare
    // What is refused in any case is refused without asking. The API says why; a newer one that would do it must not.
    const isPossible =
      allows(principal.scopes, operation.scopes) &&
      operation.input.safeParse(statedInput(operation, asked)).success
    if (!isPossible) return callApi(operation, asked, { ...marks, confirmation: 'required' })
    const objection = await objectionTo({
      operation,
      input: asked,
      principal,
      call,
      token: isOwnField ? undefined : (token ?? undefined),
      look,
    })
    const confirmation = objection?.confirmation ?? 'given'
    const answer = await callApi(operation, asked, { ...marks, confirmation })
    if (objection === undefined) return answer
    // The API has put it into the audit log, or says why this could not be done in any case.
    const isNoted = answer.status === problems[`confirmation_${objection.confirmation}`].status
    if (!isNoted) return answer
    if ('problem' in objection) throw objection.problem
    return { status: 200, body: objection.body, isQuestion: objection.isQuestion }
  }

  function refused(problem: Problem): ToolAnswer {
    return { status: problem.status, body: problemResultJson(problem.toDetails(docsUrl)) }
  }

  return async function callTool(call: ToolCall, visitor: ToolVisitor): Promise<ToolAnswer | undefined> {
    const tool = findTool(call.name)
    if (tool === undefined) return undefined
    try {
      judge(whyHidden(tool, visitor.policy))
      const inner = handsOn(tool) ? innerCall(call.input) : undefined
      if (inner === undefined) return await perform(tool, call.input, call, visitor, {})
      judge(whyForbidden(inner.tool, visitor.policy))
      return await perform(inner.tool, inner.input, call, visitor, { isHandedOn: true })
    } catch (error) {
      if (error instanceof Problem) return refused(error)
      throw error
    }
  }
}

function judge(why: string | undefined): void {
  if (why !== undefined) throw new Problem('connection_limited', why)
}

/**
 * What `call_tool` is to call. Models write the arguments as JSON text at times: that is taken too. Undefined when it
 * names no tool or is no call at all; the operation itself then says what is wrong.
 */
function innerCall(
  input: Record<string, unknown> = {},
): { tool: Tool; input: Record<string, unknown> } | undefined {
  const { name, arguments: sent, ...others } = input
  const tool = typeof name === 'string' ? findTool(name) : undefined
  const inner = typeof sent === 'string' ? parsedObject(sent === '' ? '{}' : sent) : (sent ?? {})
  if (tool === undefined || handsOn(tool) || !isObject(inner)) return undefined
  // Nothing but a confirmation can stand beside the arguments: it belongs among them.
  const { [confirmField]: token, ...unknown } = others
  if (Object.keys(unknown).length > 0) return undefined
  return { tool, input: (token ?? undefined) === undefined ? inner : { ...inner, [confirmField]: token } }
}

function parsedObject(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * A client that was given output schemas takes a result without structure for a breach of them, unless it is an error.
 * A large answer comes as text alone: as JSON, which is put where the client looks for it, or cut, which may well be
 * called an error.
 */
function withStructure(answer: ApiAnswer): ApiAnswer {
  if (answer.body.includes('"structuredContent":') || answer.body.includes('"isError":true')) return answer
  const result: { content: { text: string }[] } = JSON.parse(answer.body.toString())
  const structuredContent = parsedObject(result.content[0]?.text ?? '')
  const mended = isObject(structuredContent)
    ? { content: [{ type: 'text', text: 'The answer is the structured content.' }], structuredContent }
    : { ...result, isError: true }
  return { ...answer, body: JSON.stringify(mended) }
}
