import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway } from '../test-gateway.ts'
import type { TestGateway } from '../test-gateway.ts'
import { legacy, send } from './test-requests.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway('http://localhost')
})
afterAll(() => gateway.close())

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
