import { createConfirmations, hashSecret } from '@flamegate/auth'
import { catalogue, operations as contract } from '@flamegate/contract'
import type { Scope } from '@flamegate/contract'
import { needsConfirmation, tools } from '@flamegate/surfaces'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { plainAnswer, startTestGateway } from '../test-gateway.ts'
import type { TestGateway, TokenChanges } from '../test-gateway.ts'
import { createConfirming } from './confirming.ts'

type Json = Record<string, unknown>
interface Result {
  resultType?: string
  isError?: boolean
  content?: { text: string }[]
  structuredContent?: Json
  inputRequests?: {
    confirm: { method: string; params: { mode: string; message: string; requestedSchema: Json } }
  }
  requestState?: string
}

let gateway: TestGateway
const scopes: Scope[] = ['read', 'write', 'admin']
const done = { name: 'delete_profile', arguments: { profile_id: 'prf_1' } }

beforeAll(async () => {
  gateway = await startTestGateway('http://localhost')
})
afterAll(() => gateway.close())
beforeEach(() => {
  gateway.calls.length = 0
  gateway.notDone.length = 0
  gateway.answerWith(plainAnswer)
})

/** Names of operations that reached the API, without the look at what a thing is called. */
const operations = () =>
  gateway.calls.map(({ operation }) => operation).filter((operation) => operation !== 'fetch')

async function send(params: Json, headers: Record<string, string>, changes: TokenChanges) {
  const response = await gateway.app.inject({
    method: 'POST',
    url: '/mcp/x/all',
    headers: {
      authorization: `Bearer ${await gateway.makeToken({ scopes, ...changes })}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  })
  const { result = {}, error } = response.json<{ result?: Result; error?: Json }>()
  return { status: response.statusCode, result, error, text: result.content?.[0]?.text ?? '' }
}

/** A call of 2025-11-25. */
const call = (params: Json, changes: TokenChanges = {}) => send(params, {}, changes)

/** A call of 2026-07-28 by a client that can ask its person, or with other capabilities. */
function callModern(
  params: Json & { name: string },
  {
    capabilities = { elicitation: {} },
    ...changes
  }: TokenChanges & { capabilities?: Json; meta?: Json } = {},
) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...changes.meta,
  }
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': params.name,
  }
  return send({ ...params, _meta: meta }, headers, changes)
}

async function confirmationFor(params: Json = done, changes: TokenChanges = {}): Promise<string> {
  const { result } = await call(params, changes)
  return String(result.structuredContent?.['confirmation_token'])
}

const withConfirm = (confirm: unknown, params: { name: string; arguments: Json } = done) => ({
  ...params,
  arguments: { ...params.arguments, confirm },
})

test('everything that takes away or sets off asks first, and nothing else', () => {
  for (const tool of tools) {
    const { effect, id } = tool.operation
    expect(needsConfirmation(tool)).toBe((effect === 'destroy' || effect === 'run') && id !== 'call_tool')
  }
  expect(catalogue.filter((each) => each.mcp && each.effect === 'destroy').length).toBeGreaterThan(2)
})

describe('a client that cannot ask its person', () => {
  test('gets a token first, and nothing is done', async () => {
    const { status, result, text } = await call(done)
    expect([status, result.isError]).toEqual([200, undefined])
    expect(operations()).toEqual([])
    expect(result.structuredContent).toEqual({
      confirmed: false,
      operation: 'delete_profile',
      effect: 'destroy',
      confirmation_token: expect.stringMatching(/^[\w-]{39}$/),
      confirm_with: {
        tool: 'delete_profile',
        arguments: { profile_id: 'prf_1', confirm: result.structuredContent?.['confirmation_token'] },
      },
      expires_at: expect.any(String),
    })
    expect(text).toContain('Nothing was done yet')
    expect(text).toContain('profile_id: prf_1')
    expect(text).toContain(String(result.structuredContent?.['confirmation_token']))
  })

  test('gets one with null for what is left out, the confirmation too', async () => {
    const params = { name: 'run_scenario', arguments: { scenario_id: 'scn_1', name: null, confirm: null } }
    const confirm = await confirmationFor(params, { scopes: ['run'] })
    await call(withConfirm(confirm, params), { scopes: ['run'] })
    expect(operations()).toEqual(['run_scenario'])
  })

  test('does it with the token, which the operation does not see', async () => {
    const { result } = await call(withConfirm(await confirmationFor()))
    expect(result).toEqual(JSON.parse(String(plainAnswer.body)))
    expect(gateway.calls.at(-1)).toMatchObject({
      operation: 'delete_profile',
      input: { profile_id: 'prf_1' },
    })
    expect(gateway.calls.at(-1)?.input).not.toHaveProperty('confirm')
  })

  test('may do again what is the same the second time', async () => {
    const confirm = await confirmationFor()
    await call(withConfirm(confirm))
    await call(withConfirm(confirm))
    expect(operations()).toEqual(['delete_profile', 'delete_profile'])
  })

  test('is told the name of what goes, when there is one', async () => {
    gateway.answerWith({
      status: 200,
      body: '{"content":[],"structuredContent":{"id":"prf_1","title":"cpu.pb.gz"}}',
    })
    expect((await call(done)).text).toContain('profile_id: prf_1 (cpu.pb.gz)')
  })

  test('of the newer revision does the same', async () => {
    const first = await callModern(done, { capabilities: {} })
    expect(first.result).toMatchObject({ resultType: 'complete', structuredContent: { confirmed: false } })
    const confirm = first.result.structuredContent?.['confirmation_token']
    const second = await callModern(withConfirm(confirm), { capabilities: { elicitation: { url: {} } } })
    expect(second.result.structuredContent).toEqual({ tools: [] })
    expect(operations()).toEqual(['delete_profile'])
  })

  test('with an API token takes the same two steps', async () => {
    gateway.identity.addApiToken(hashSecret('fg_ci'), {
      id: 'tok_1',
      name: 'CI',
      userId: 'usr_ada',
      workspaceId: 'ws_1',
      scopes,
      expiresAt: null,
    })
    const headers = { authorization: 'Bearer fg_ci' }
    const { result } = await send(done, headers, {})
    expect(operations()).toEqual([])
    await send(withConfirm(result.structuredContent?.['confirmation_token']), headers, {})
    expect(operations()).toEqual(['delete_profile'])
  })

  test('goes through call_tool the same way', async () => {
    const indirect = { name: 'call_tool', arguments: { name: 'delete_profile', arguments: done.arguments } }
    const { result } = await call(indirect)
    expect(operations()).toEqual([])
    const token = result.structuredContent?.['confirmation_token']
    const next = { ...indirect.arguments, arguments: { ...done.arguments, confirm: token } }
    expect(result.structuredContent?.['confirm_with']).toEqual({ tool: 'call_tool', arguments: next })
    await call({ ...indirect, arguments: next })
    // The other way to write it.
    await call({ ...indirect, arguments: { ...indirect.arguments, confirm: token } })
    expect(operations()).toEqual(['delete_profile', 'delete_profile'])
  })
})

/** What was said of it, and done. */
const attempt = async (params: Json, changes: TokenChanges = {}) => {
  const { result, text } = await call(params, changes)
  return { isError: result.isError, code: /\((\w+)\)/.exec(text)?.[1], done: operations() }
}

describe('a token is refused, and nothing is done', () => {
  const refused = { isError: true, code: 'confirmation_mismatch', done: [] }

  test('with other arguments', async () => {
    const confirm = await confirmationFor()
    expect(await attempt(withConfirm(confirm, { ...done, arguments: { profile_id: 'prf_2' } }))).toEqual(
      refused,
    )
  })

  test('for another tool', async () => {
    const other = { name: 'revoke_connected_app', arguments: { connected_app_id: 'prf_1' } }
    const confirm = await confirmationFor()
    expect(await attempt({ ...other, arguments: { ...other.arguments, confirm } })).toEqual(refused)
  })

  test('of another person', async () => {
    expect(await attempt(withConfirm(await confirmationFor(done, { userId: 'usr_eve' })))).toEqual(refused)
  })

  test('of another client', async () => {
    expect(await attempt(withConfirm(await confirmationFor(done, { clientId: 'client-2' })))).toEqual(refused)
  })

  test('of another grant', async () => {
    expect(await attempt(withConfirm(await confirmationFor(done, { grantId: 'grant-2' })))).toEqual(refused)
  })

  test.each([['yes'], [''], [true], ['a'.repeat(39)]])('that was made up: %o', async (confirm) => {
    expect(await attempt(withConfirm(confirm))).toEqual(refused)
  })

  test('after ten minutes', async () => {
    let nowMs = Date.now()
    const confirmations = await createConfirmations(gateway.identity, () => nowMs)
    const objectionTo = createConfirming(confirmations)
    const pending = {
      operation: contract.deleteProfile,
      input: done.arguments,
      principal: { userId: 'usr_ada', via: 'oauth', clientId: 'c', clientName: 'C', scopes } as const,
      call: { name: done.name, input: done.arguments },
      look: () => Promise.resolve(plainAnswer),
    }
    const first = await objectionTo({ ...pending, token: undefined })
    const { structuredContent }: Result = JSON.parse(first !== undefined && 'body' in first ? first.body : '')
    const token = structuredContent?.['confirmation_token']
    expect(await objectionTo({ ...pending, token })).toBeUndefined()
    nowMs += 601_000
    expect(await objectionTo({ ...pending, token })).toMatchObject({
      confirmation: 'mismatch',
      problem: { message: expect.stringContaining('older than ten minutes. Nothing was done.') },
    })
  })

  test('when it is the state of a question to the person', async () => {
    const { result } = await callModern(done)
    expect(await attempt(withConfirm(result.requestState))).toEqual(refused)
  })
})

/** What the API was told of calls, without the looks at what things are called. */
const told = (seen: TestGateway['calls']) =>
  seen
    .filter(({ operation }) => operation !== 'fetch')
    .map(({ operation, input, origin }) => [operation, input, origin.confirmation, origin.isHandedOn])

describe('the API is told, for the audit log', () => {
  test('of a call that wants to be confirmed, and then that it was', async () => {
    const confirm = await confirmationFor()
    expect(told(gateway.notDone)).toEqual([['delete_profile', done.arguments, 'required', undefined]])
    await call(withConfirm(confirm))
    expect(told(gateway.calls)).toEqual([['delete_profile', done.arguments, 'given', undefined]])
  })

  test('of a confirmation that was made for another call', async () => {
    const other = { ...done, arguments: { profile_id: 'prf_2' } }
    const confirm = await confirmationFor()
    await call(withConfirm(confirm, other))
    expect(told(gateway.notDone).at(-1)).toEqual(['delete_profile', other.arguments, 'mismatch', undefined])
  })

  test('of a person who did not agree', async () => {
    const { result } = await callModern(done)
    const no = { requestState: result.requestState, inputResponses: { confirm: { action: 'decline' } } }
    await callModern({ ...done, ...no })
    expect(told(gateway.notDone).at(-1)).toEqual(['delete_profile', done.arguments, 'declined', undefined])
    expect(operations()).toEqual([])
  })

  test('that call_tool was in between', async () => {
    await call({ name: 'call_tool', arguments: done })
    expect(told(gateway.notDone)).toEqual([['delete_profile', done.arguments, 'required', true]])
    await call({ name: 'call_tool', arguments: { name: 'list_projects', arguments: {} } })
    expect(told(gateway.calls)).toEqual([['list_projects', {}, undefined, true]])
  })
})

test('what the API refuses in any case is answered without asking for a confirmation', async () => {
  const refusal = { status: 404, body: '{"content":[{"type":"text","text":"gone"}],"isError":true}' }
  const elsewhere = await startTestGateway('http://localhost', {
    apiCaller: { call: () => Promise.resolve(refusal), close: () => Promise.resolve() },
  })
  const token = await elsewhere.makeToken({ scopes })
  const response = await elsewhere.app.inject({
    method: 'POST',
    url: '/mcp/x/all',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: done },
  })
  expect(response.json()).toMatchObject({ result: JSON.parse(refusal.body) })
  await elsewhere.close()
})

describe('a client that can ask its person', () => {
  const yes = { confirm: { action: 'accept', content: {} } }

  test('is given the question, with what will be done to what', async () => {
    const { result } = await callModern(done)
    expect(operations()).toEqual([])
    expect(result.resultType).toBe('input_required')
    expect(result.inputRequests?.confirm.method).toBe('elicitation/create')
    const { mode, message, requestedSchema } = result.inputRequests?.confirm.params ?? {}
    expect([mode, requestedSchema]).toEqual(['form', { type: 'object', properties: {} }])
    expect(message).toMatch(/^An agent asks .*Delete a profile \(delete_profile\):\n- profile_id: prf_1\n/)
  })

  test('does it once the person said yes', async () => {
    const { requestState } = (await callModern(done)).result
    const { result } = await callModern({ ...done, inputResponses: yes, requestState })
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { tools: [] } })
    expect(operations()).toEqual(['delete_profile'])
  })

  test.each(['decline', 'cancel'])('does not do it after %s', async (action) => {
    const { requestState } = (await callModern(done)).result
    const inputResponses = { confirm: { action } }
    const { result, text } = await callModern({ ...done, inputResponses, requestState })
    expect([result.isError, text]).toEqual([true, expect.stringContaining('did not agree')])
    expect(operations()).toEqual([])
  })

  test('is asked again when it brings no answer', async () => {
    const { requestState } = (await callModern(done)).result
    const { result } = await callModern({ ...done, inputResponses: {}, requestState })
    expect(result.resultType).toBe('input_required')
    expect(operations()).toEqual([])
  })

  test('cannot say yes in place of the question', async () => {
    expect((await callModern({ ...done, inputResponses: yes })).result.resultType).toBe('input_required')
    expect((await callModern(withConfirm(await confirmationFor()))).result.resultType).toBe('input_required')
    expect(operations()).toEqual([])
  })

  test.each<[string, (state: string) => Json & { name: string }, TokenChanges]>([
    ['forged', () => ({ ...done, requestState: 'x'.repeat(39) }), {}],
    [
      'for other arguments',
      (requestState) => ({ ...done, arguments: { profile_id: 'prf_2' }, requestState }),
      {},
    ],
    [
      'for another tool',
      (requestState) => ({
        name: 'revoke_connected_app',
        arguments: { connected_app_id: 'g1' },
        requestState,
      }),
      {},
    ],
    ['of another person', (requestState) => ({ ...done, requestState }), { userId: 'usr_eve' }],
    ['of another client', (requestState) => ({ ...done, requestState }), { clientId: 'client-2' }],
  ])('is refused with a request state that is %s', async (_name, retry, changes) => {
    const { requestState = '' } = (await callModern(done)).result
    const { result, text } = await callModern({ inputResponses: yes, ...retry(requestState) }, changes)
    expect([result.isError, text]).toEqual([true, expect.stringContaining('(confirmation_mismatch)')])
    expect(operations()).toEqual([])
  })

  test('is served alike by the SDK', async () => {
    // A log level is left to the SDK.
    const bySdk = { meta: { 'io.modelcontextprotocol/logLevel': 'info' } }
    const first = (await callModern(done, bySdk)).result
    expect(first.resultType).toBe('input_required')
    expect(first.inputRequests).toEqual((await callModern(done)).result.inputRequests)
    const { result } = await callModern(
      { ...done, inputResponses: yes, requestState: first.requestState },
      bySdk,
    )
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { tools: [] } })
    expect(operations()).toEqual(['delete_profile'])
  })
})

describe('a project goes by its name', () => {
  const withName = { name: 'delete_project', arguments: { project_id: 'prj_1', confirm: 'checkout' } }

  test('which is the confirmation where nobody can be asked, and is compared by the operation', async () => {
    await call(withName)
    expect(gateway.calls).toMatchObject([{ operation: 'delete_project', input: withName.arguments }])
  })

  test('and the person is asked where that can be', async () => {
    const { result } = await callModern(withName)
    expect(result.resultType).toBe('input_required')
    const retry = { inputResponses: { confirm: { action: 'accept' } }, requestState: result.requestState }
    await callModern({ ...withName, ...retry })
    expect(gateway.calls.at(-1)).toMatchObject({ operation: 'delete_project', input: withName.arguments })
  })
})

describe('what is refused in any case is refused without asking', () => {
  test('for want of a scope', async () => {
    gateway.answerWith({ status: 403, body: '{"content":[],"isError":true}' })
    const { status } = await call(done, { scopes: ['read'] })
    expect(status).toBe(403)
    expect(operations()).toEqual([])
  })

  test('for arguments that are not valid', async () => {
    await call({ name: 'delete_profile', arguments: { profile: 'prf_1' } })
    await callModern({ name: 'delete_profile', arguments: { profile: 'prf_1' } })
    expect(gateway.notDone.map(({ operation }) => operation)).toEqual(['delete_profile', 'delete_profile'])
  })

  test('and is not done either by a newer API that would take what we do not', async () => {
    await call({ name: 'delete_profile', arguments: { ...done.arguments, of_tomorrow: true } })
    expect(gateway.calls).toEqual([])
  })
})
