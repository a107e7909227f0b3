import type { Confirmations, ConfirmationWay } from '@flamegate/auth'
import { operations, Problem } from '@flamegate/contract'
import type { AnswerOf, Operation, Principal } from '@flamegate/contract'
import { confirmField, firstOf } from '@flamegate/surfaces'
import type { ApiAnswer } from '../api-caller.ts'
import type { ToolCall } from './tool-calls.ts'

/** A call that takes something away or sets something off, before it is done. */
export interface PendingCall {
  operation: Operation
  /** What the operation would be called with. */
  input: Record<string, unknown>
  principal: Principal
  /** As it was sent. */
  call: ToolCall
  /** What the caller sent as `confirm`, when that is a token of ours. */
  token: unknown
  /** Asks the API for something that makes the question clearer. */
  look: (operation: Operation, input: unknown) => Promise<ApiAnswer>
}

/** What to answer in place of doing it. `isQuestion`: an `InputRequiredResult`, whose `resultType` says so. */
export type Objection =
  | { confirmation: 'required' | 'declined'; body: string; isQuestion: boolean }
  | { confirmation: 'mismatch'; problem: Problem }

/** The key of the question to the person among what a client brings back. */
const questionKey = 'confirm'
const shownLengthMax = 200

/**
 * Lets a call through only when it was confirmed: by the person, where the client can ask them (2026-07-28,
 * elicitation in an `InputRequiredResult`), or else by a second call with a token that the first one gave.
 */
export function createConfirming(confirmations: Confirmations) {
  /** Undefined when it is confirmed. */
  async function objectionTo(pending: PendingCall): Promise<Objection | undefined> {
    const { call, operation } = pending
    if (call.requestState !== undefined) {
      const mismatch = await check('person', call.requestState, pending)
      if (mismatch !== undefined) return mismatch
      const answer = answerOf(call.inputResponses)
      if (answer === 'yes') return undefined
      if (answer === 'no') return declined(operation)
    }
    if (canAskPerson(call.capabilities)) return question(pending, await describe(pending))
    // The name of what goes is a better confirmation than a token; the operation compares it.
    if (confirmField in operation.input.shape) return undefined
    if (pending.token !== undefined) {
      return check('agent', pending.token, pending)
    }
    return tokenAnswer(pending, await describe(pending))
  }

  async function check(
    way: ConfirmationWay,
    token: unknown,
    pending: PendingCall,
  ): Promise<Objection | undefined> {
    const { operation } = pending
    const text = typeof token === 'string' ? token : ''
    const verdict = operation.idempotent
      ? await confirmations.check(way, text, pendingCall(pending))
      : await confirmations.use(way, text, pendingCall(pending))
    if (verdict === 'good') return undefined
    const why = {
      expired: 'The confirmation is older than ten minutes.',
      used: 'The confirmation was used already.',
      other:
        'The confirmation was not made for this call: same tool, same arguments, same person and client.',
    }[verdict]
    const problem = new Problem(
      'confirmation_mismatch',
      `${why} Nothing was done. Call ${operation.id} without ${confirmField} to get a new one.`,
    )
    return { confirmation: 'mismatch', problem }
  }

  function question(pending: PendingCall, description: string): Objection {
    const { token: requestState } = confirmations.issue('person', pendingCall(pending))
    const params = {
      mode: 'form',
      message: `${pending.principal.clientName} asks for your yes. ${description}`,
      // Yes and no are the client's own buttons: there is nothing to fill in.
      requestedSchema: { type: 'object', properties: {} },
    }
    return {
      confirmation: 'required',
      isQuestion: true,
      body: JSON.stringify({
        resultType: 'input_required',
        inputRequests: { [questionKey]: { method: 'elicitation/create', params } },
        requestState,
      }),
    }
  }

  function tokenAnswer(pending: PendingCall, description: string): Objection {
    const { call, operation } = pending
    const { token, expiresAt } = confirmations.issue('agent', pendingCall(pending))
    const next = { tool: call.name, arguments: withToken(call, token) }
    const text = [
      `Nothing was done yet: this wants to be confirmed. ${description}`,
      `If that is what the person wants, and they have said so, call it again with the same arguments and ${confirmField}:`,
      `\`\`\`json\n${JSON.stringify(next)}\n\`\`\``,
      'The token is good for this call alone, for ten minutes.',
    ].join('\n\n')
    const structuredContent = {
      confirmed: false,
      operation: operation.id,
      effect: operation.effect,
      confirmation_token: token,
      confirm_with: next,
      expires_at: expiresAt.toISOString(),
    }
    return {
      confirmation: 'required',
      isQuestion: false,
      body: JSON.stringify({ content: [{ type: 'text', text }], structuredContent }),
    }
  }

  return objectionTo
}

function pendingCall({ principal, operation, input }: PendingCall) {
  return { principal, operationId: operation.id, input }
}

/** The same arguments with the token, where the one that sent them would put it. */
function withToken({ name, input = {} }: ToolCall, token: string): Record<string, unknown> {
  const { arguments: inner } = input
  return name === operations.callTool.id && typeof inner === 'object' && inner !== null
    ? { ...input, arguments: { ...inner, [confirmField]: token } }
    : { ...input, [confirmField]: token }
}

function declined({ id }: Operation): Objection {
  const text = `Nothing was done: the person did not agree to ${id}. Do not try it again unless they ask for it.`
  return {
    confirmation: 'declined',
    isQuestion: false,
    body: JSON.stringify({ content: [{ type: 'text', text }], isError: true }),
  }
}

/** What will be done, to what. */
async function describe({ operation, input, look }: PendingCall): Promise<string> {
  const lines = await Promise.all(
    Object.entries(input)
      .filter(([field]) => field !== confirmField)
      .map(async ([field, value]) => {
        const name = await nameOf(value, look)
        return `- ${field}: ${shown(value)}${name === undefined ? '' : ` (${shown(name)})`}`
      }),
  )
  return [`${operation.title} (${operation.id}):`, ...lines, '', operation.description].join('\n')
}

/** What people call the thing with that id; undefined for what is no id, or of nothing that they may see. */
async function nameOf(value: unknown, look: PendingCall['look']): Promise<string | undefined> {
  if (typeof value !== 'string' || !/^(?:prj|run|ben|prf)_\w+$/.test(value)) return undefined
  const { status, body } = await look(operations.fetch, { id: value })
  if (status !== 200) return undefined
  const result: { structuredContent?: AnswerOf<typeof operations.fetch> } = JSON.parse(body.toString())
  return result.structuredContent?.title
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= shownLengthMax ? text : `${firstOf(text, shownLengthMax)}…`
}

/** `elicitation: {}` means forms, as does `{ form: {} }`; `{ url: {} }` alone does not. */
function canAskPerson(capabilities: unknown): boolean {
  const elicitation = memberOf(capabilities, 'elicitation')
  if (typeof elicitation !== 'object' || elicitation === null) return false
  return 'form' in elicitation || !('url' in elicitation)
}

function answerOf(responses: unknown): 'yes' | 'no' | 'none' {
  const response = memberOf(responses, questionKey)
  const action = memberOf(response, 'action')
  if (action === 'decline' || action === 'cancel') return 'no'
  return action === 'accept' ? 'yes' : 'none'
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}
