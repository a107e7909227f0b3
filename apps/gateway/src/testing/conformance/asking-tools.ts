import { capabilitiesOf, textAnswer } from './fixture.ts'
import type { Answer, CallContext, FixtureTool } from './fixture.ts'
import { openState, sealState } from './request-state.ts'

const name = { type: 'string' }
const askName = elicit('What is your name?', { name })
const sample = (text: string, maxTokens: number) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens },
})
const listRoots = { method: 'roots/list', params: {} }

/** Tools that ask the client for something before they answer (SEP-2322, multi-round-trip requests). */
export const askingTools: readonly FixtureTool[] = [
  {
    name: 'test_input_required_result_elicitation',
    description: 'Asks for a name',
    call: (_input, context) => {
      const given = textIn(accepted(context, 'user_name'), 'name')
      return given === undefined ? askFor({ user_name: askName }) : textAnswer(`Hello, ${given}!`)
    },
  },
  {
    name: 'test_streaming_elicitation',
    description: 'Asks for a name',
    call: () => askFor({ user_name: askName }),
  },
  {
    name: 'test_input_required_result_sampling',
    description: 'Asks for a completion',
    call: (_input, context) => {
      const message = responseOf(context, 'capital_question')
      return message === undefined
        ? askFor({ capital_question: sample('What is the capital of France?', 100) })
        : textAnswer(`The model says: ${JSON.stringify(message)}`)
    },
  },
  {
    name: 'test_input_required_result_list_roots',
    description: 'Asks for the roots',
    call: (_input, context) => {
      const roots = responseOf(context, 'client_roots')
      return roots === undefined
        ? askFor({ client_roots: listRoots })
        : textAnswer(`The roots are: ${JSON.stringify(roots)}`)
    },
  },
  {
    name: 'test_input_required_result_request_state',
    description: 'Asks for a confirmation, with a state',
    call: (_input, context) => confirmed(context, 'state-ok'),
  },
  {
    name: 'test_input_required_result_tampered_state',
    description: 'Asks for a confirmation, with a state that cannot be changed',
    call: (_input, context) => confirmed(context, 'The state is as it was.'),
  },
  {
    name: 'test_input_required_result_multiple_inputs',
    description: 'Asks for three things at once',
    call: (_input, context) => {
      const asked = {
        user_name: askName,
        greeting: sample('Generate a greeting', 50),
        client_roots: listRoots,
      }
      const state = context.mcpReq.requestState()
      if (state !== undefined) openState(state)
      const hasAll = Object.keys(asked).every((key) => responseOf(context, key) !== undefined)
      return hasAll ? textAnswer('Thank you for all three.') : askFor(asked, sealState('three'))
    },
  },
  {
    name: 'test_input_required_result_multi_round',
    description: 'Asks twice',
    call: (_input, context) => {
      const state = context.mcpReq.requestState()
      const [, known] = state === undefined ? [] : (/^named:(.*)$/s.exec(openState(state)) ?? [])
      const color = textIn(accepted(context, 'step2'), 'color')
      if (known !== undefined && color !== undefined) return textAnswer(`${known} likes ${color}.`)
      const given = textIn(accepted(context, 'step1'), 'name') ?? known
      if (given === undefined) {
        return askFor({ step1: elicit('Step 1: What is your name?', { name }) }, sealState('unnamed'))
      }
      const step2 = elicit('Step 2: What is your favorite color?', { color: { type: 'string' } })
      return askFor({ step2 }, sealState(`named:${given}`))
    },
  },
  {
    name: 'test_input_required_result_capabilities',
    description: 'Asks only for what the client can do',
    call: (_input, context) => {
      const can = capabilitiesOf(context)
      const asked = {
        ...(can['elicitation'] === undefined ? {} : { user_name: askName }),
        ...(can['sampling'] === undefined ? {} : { greeting: sample('Generate a greeting', 50) }),
        ...(can['roots'] === undefined ? {} : { client_roots: listRoots }),
      }
      const isDone = Object.keys(asked).every((key) => responseOf(context, key) !== undefined)
      return isDone ? textAnswer('Nothing more to ask.') : askFor(asked)
    },
  },
]

/** A question to the person, answered by a form. */
export function elicit(message: string, properties: Record<string, unknown>) {
  return {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message,
      requestedSchema: { type: 'object', properties, required: Object.keys(properties) },
    },
  }
}

export function askFor(inputRequests: Record<string, unknown>, requestState?: string): Answer {
  return {
    resultType: 'input_required',
    inputRequests,
    ...(requestState === undefined ? {} : { requestState }),
  }
}

function confirmed(context: CallContext, text: string): Answer {
  const state = context.mcpReq.requestState()
  if (state !== undefined) openState(state)
  const isConfirmed = state !== undefined && accepted(context, 'confirm') !== undefined
  if (isConfirmed) return textAnswer(text)
  return askFor({ confirm: elicit('Please confirm', { ok: { type: 'boolean' } }) }, sealState('asked'))
}

function responseOf({ mcpReq }: CallContext, key: string): unknown {
  return mcpReq.inputResponses?.[key]
}

/** What a person filled in, if they did. */
export function accepted(context: CallContext, key: string): Record<string, unknown> | undefined {
  return acceptedContent(responseOf(context, key))
}

export function acceptedContent(response: unknown): Record<string, unknown> | undefined {
  if (typeof response !== 'object' || response === null || !('action' in response)) return undefined
  const content = 'content' in response ? response.content : {}
  return response.action === 'accept' && typeof content === 'object' ? { ...content } : undefined
}

export function textIn(content: Record<string, unknown> | undefined, field: string): string | undefined {
  const value = content?.[field]
  return typeof value === 'string' ? value : undefined
}
