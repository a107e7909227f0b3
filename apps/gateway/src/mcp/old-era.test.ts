import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway } from '../test-gateway.ts'
import type { TestGateway } from '../test-gateway.ts'
import { legacy, send } from './test-requests.ts'
import type { Sent } from './test-requests.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway('http://localhost')
})
afterAll(() => gateway.close())

/** What comes back, whatever it is. */
async function sendForJson({ message, headers }: Sent): Promise<unknown> {
  const response = await gateway.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...headers, authorization: `Bearer ${await gateway.makeToken()}` },
    payload: JSON.stringify(message),
  })
  return response.json()
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('initialize', () => {
  test.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
  ])('a client that speaks %s gets %s', async (asked, given) => {
    const { message, headers } = legacy('initialize', {
      protocolVersion: asked,
      capabilities: {},
      clientInfo: { name: 'a-client', version: '1.0' },
    })
    // Before the first answer a client cannot know which version to name in the header.
    const { 'mcp-protocol-version': _version, ...others } = headers
    const { result } = await send(gateway, { message, headers: others })
    expect(result?.['protocolVersion']).toBe(given)
  })
})

const batch = (length: number, version: string | undefined) => {
  const { headers } = legacy('ping', undefined, version ?? '')
  const { 'mcp-protocol-version': _version, ...others } = headers
  return send(gateway, {
    message: Array.from({ length }, (_, id) => ({ ...ping, id })),
    headers: version === undefined ? others : headers,
  })
}

describe('batches', () => {
  test.each(['2025-03-26', undefined])('are answered for %s', async (version) => {
    const { status, result, error } = await batch(2, version)
    expect([status, result, error]).toEqual([200, undefined, undefined])
  })

  test.each(['2025-06-18', '2025-11-25'])('are refused for %s', async (version) => {
    const { status, error } = await batch(2, version)
    expect([status, error?.code]).toEqual([400, -32_600])
  })

  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  const call = { ...ping, method: 'tools/call', params: { name: 'find_tools', arguments: { query: 'x' } } }

  test.each<[string, unknown[], unknown[]]>([
    ['of one request', [ping], [1]],
    ['of a request and a notification', [ping, { jsonrpc: '2.0', method: 'notifications/initialized' }], [1]],
    ['of a request and its cancellation', [call, cancelled], [1]],
    ['of a request, another and its cancellation', [call, { ...ping, id: 2 }, cancelled], [1, 2]],
  ])('%s are answered with a list', async (_what, message, ids) => {
    const { headers } = legacy('ping', undefined, '2025-03-26')
    const answers = await sendForJson({ message, headers })
    expect(answers).toEqual(ids.map((id) => ({ jsonrpc: '2.0', id, result: expect.anything() })))
  })

  test('of cancellations alone are taken', async () => {
    const { headers } = legacy('ping', undefined, '2025-03-26')
    expect((await send(gateway, { message: [cancelled], headers })).status).toBe(202)
  })

  test('of very many messages are refused', async () => {
    expect((await batch(50, '2025-03-26')).status).toBe(200)
    expect((await batch(51, '2025-03-26')).error?.message).toContain('At most 50 messages')
  })
})

test('the notification that a call is cancelled is taken', async () => {
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }
  const { status } = await send(gateway, { ...legacy('ping'), message: cancelled })
  expect(status).toBe(202)
})

test('resources/subscribe, which takes a session, is not offered', async () => {
  const { error } = await send(gateway, legacy('resources/subscribe', { uri: 'flamegate://run/run_1' }))
  expect(error?.code).toBe(-32_601)
})
