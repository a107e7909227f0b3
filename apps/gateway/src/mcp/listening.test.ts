import { hashSecret } from '@flamegate/auth'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { apiThatAnswers, eventsOf, modern, send, startListeningGateway } from './test-requests.ts'
import type { Json, RpcAnswer } from './test-requests.ts'

let gateway: Awaited<ReturnType<typeof startListeningGateway>>

beforeEach(async () => {
  gateway = await startListeningGateway(apiThatAnswers({}))
})
afterEach(() => gateway.close())

const all = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }

async function listen(notifications: Json = all, token?: string) {
  const response = await gateway.post(modern('subscriptions/listen', { notifications }), { token })
  return { response, events: eventsOf(response) }
}

async function next(events: AsyncGenerator<RpcAnswer, void>): Promise<RpcAnswer> {
  const { value } = await events.next()
  if (!value) throw new TypeError('The stream has ended')
  return value
}

describe('subscriptions/listen', () => {
  test('is acknowledged first, on a stream that nothing in between holds back', async () => {
    const { response, events } = await listen()
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(await next(events)).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: all, _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } },
    })
    await events.return()
  })

  test('tells a person, and nobody else, that a role of theirs changed', async () => {
    const { events } = await listen()
    await next(events)
    gateway.identity.tellVisibleChange({ userId: 'usr_bob' })
    gateway.identity.tellVisibleChange({ userId: 'usr_ada' })
    gateway.identity.tellVisibleChange('everybody')
    const told = [await next(events), await next(events), await next(events), await next(events)]
    expect(told.map(({ method }) => method)).toEqual([
      'notifications/tools/list_changed',
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
    ])
    await events.return()
  })

  test('tells only what was asked for', async () => {
    const { events } = await listen({ promptsListChanged: true })
    await next(events)
    gateway.identity.tellVisibleChange('everybody')
    expect((await next(events)).method).toBe('notifications/prompts/list_changed')
    await gateway.close()
    expect(await next(events)).toMatchObject({ result: { resultType: 'complete' } })
  })

  test('ends with a result within a second when the grant is revoked', async () => {
    const { events } = await listen(all, await gateway.makeToken({ grantId: 'grant-2' }))
    const { events: others } = await listen()
    await next(events)
    await next(others)
    const startedAt = performance.now()
    await gateway.identity.oauth.revokeGrant('grant-2')
    expect(await next(events)).toMatchObject({ id: 1, result: { resultType: 'complete' } })
    expect(await events.next()).toMatchObject({ done: true })
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    gateway.identity.tellVisibleChange('everybody')
    expect((await next(others)).method).toBe('notifications/tools/list_changed')
    await others.return()
  })

  test('ends when the API token is revoked', async () => {
    gateway.identity.addApiToken(hashSecret('fg_test'), {
      id: 'tok_1',
      name: 'CI',
      userId: 'usr_ada',
      workspaceId: 'ws_1',
      scopes: ['read'],
      expiresAt: null,
    })
    const { events } = await listen(all, 'fg_test')
    await next(events)
    gateway.identity.removeApiToken(hashSecret('fg_test'))
    expect(await next(events)).toMatchObject({ result: { resultType: 'complete' } })
  })

  test('ends with a result when the server closes', async () => {
    const { events } = await listen()
    await next(events)
    await gateway.close()
    expect(await next(events)).toMatchObject({ id: 1, result: { resultType: 'complete' } })
  })

  test('is refused to a client that has ten streams, until it closes one', async () => {
    const open = await Promise.all(Array.from({ length: 10 }, () => listen()))
    for (const { events } of open) await next(events)
    const refused = await gateway.post(modern('subscriptions/listen', { notifications: all }))
    expect(await refused.json()).toMatchObject({
      id: 1,
      error: { code: -32_603, message: '10 streams of this client are open already. Close one first.' },
    })
    const [first, ...others] = open
    await first?.events.return()
    await expect
      .poll(async () => {
        const { response, events } = await listen()
        const type = response.headers.get('content-type')
        await events.return()
        return type
      })
      .toBe('text/event-stream')
    for (const { events } of others) await events.return()
  })

  test.each([
    ['without a filter', modern('subscriptions/listen'), 200, -32_602],
    [
      'by another name in the header',
      { ...modern('subscriptions/listen', { notifications: all }), headers: modern('tools/list').headers },
      400,
      -32_020,
    ],
  ])('is refused %s', async (_what, request, status, code) => {
    const answer = await send(gateway, request)
    expect([answer.status, answer.error?.code]).toEqual([status, code])
  })

  test('needs a credential', async () => {
    const response = await gateway.post(modern('subscriptions/listen', { notifications: all }), {
      token: 'nothing',
    })
    expect(response.status).toBe(401)
  })
})

test('tools are listed by the new role as soon as it is told', async () => {
  const names = async () => {
    const { result } = await send(gateway, modern('tools/list'))
    return JSON.stringify(result?.['tools'])
  }
  const membership = { slug: 'acme', name: 'Acme' }
  gateway.identity.addMembership('usr_ada', { ...membership, workspaceId: 'ws_1', role: 'viewer' })
  expect(await names()).not.toContain('"create_project"')
  gateway.identity.addMembership('usr_ada', { ...membership, workspaceId: 'ws_2', role: 'admin' })
  gateway.identity.tellVisibleChange({ userId: 'usr_ada' })
  expect(await names()).toContain('"create_project"')
})
