import { createServer } from 'node:net'
import * as current from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { plainAnswer, startTestGateway } from '../../apps/gateway/src/test-gateway.ts'
import type { TestGateway } from '../../apps/gateway/src/test-gateway.ts'

// The clients that others build on, against a gateway on loopback: what they cannot read, nobody can use.

let gateway: TestGateway
let url: URL
let requestInit: RequestInit

beforeAll(async () => {
  const port = await findFreePort()
  const publicUrl = `http://127.0.0.1:${port}`
  gateway = await startTestGateway(publicUrl)
  await gateway.app.listen({ host: '127.0.0.1', port })
  url = new URL(`${publicUrl}/mcp`)
  requestInit = { headers: { authorization: `Bearer ${await gateway.makeToken()}` } }
})
afterAll(() => gateway.close())
beforeEach(() => gateway.answerWith(plainAnswer))

const info = { name: 'a-client', version: '1.0' }

async function connectFirst() {
  const client = new FirstClient(info)
  const transport = new FirstTransport(url, { requestInit })
  await client.connect(transport)
  return { client, speaks: transport.protocolVersion }
}

async function connectCurrent(mode: 'legacy' | 'auto') {
  const client = new current.Client(info, { versionNegotiation: { mode } })
  await client.connect(new current.StreamableHTTPClientTransport(url, { requestInit }))
  return { client, speaks: client.getNegotiatedProtocolVersion() }
}

describe.each([
  ['@modelcontextprotocol/sdk 1.x', '2025-11-25', connectFirst],
  ['@modelcontextprotocol/client 2.x without looking for more', '2025-11-25', () => connectCurrent('legacy')],
  ['@modelcontextprotocol/client 2.x', '2026-07-28', () => connectCurrent('auto')],
])('%s, which speaks %s', (_name, version, connect) => {
  test('connects and learns who we are', async () => {
    const { client, speaks } = await connect()
    expect(speaks).toBe(version)
    expect(client.getServerVersion()).toMatchObject({ name: 'flamegate', title: 'Flamegate' })
    expect(client.getInstructions()).toContain('find_tools')
    await client.close()
  })

  test('lists every tool with hints', async () => {
    const { client } = await connect()
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(20)
    expect(tools.find(({ name }) => name === 'delete_project')?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
    })
    await client.close()
  })

  test('calls a tool and reads its answer', async () => {
    const { client } = await connect()
    const result = await client.callTool({ name: 'find_tools', arguments: { query: 'flame' } })
    expect(result).toMatchObject({
      content: [{ type: 'text', text: 'Grüße' }],
      structuredContent: { tools: [] },
    })
    await client.close()
  })

  test('takes a refusal for what it is', async () => {
    const { client } = await connect()
    gateway.answerWith({ status: 404, body: '{"content":[{"type":"text","text":"gone"}],"isError":true}' })
    const result = await client.callTool({ name: 'get_run', arguments: {} })
    expect(result).toMatchObject({ isError: true, content: [{ text: 'gone' }] })
    await client.close()
  })

  test('is told that a tool does not exist', async () => {
    const { client } = await connect()
    await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toMatchObject({
      code: -32_602,
    })
    await client.close()
  })

  test('finds guides, kinds of records and prompts, and reads them', async () => {
    const { client } = await connect()
    const { resources } = await client.listResources()
    const guide = resources.find(({ uri }) => uri === 'flamegate://skill/explain-regression')
    expect(guide?.mimeType).toBe('text/markdown')
    const { contents } = await client.readResource({ uri: guide?.uri ?? '' })
    expect(contents[0]).toMatchObject({ text: expect.stringContaining('compare_runs') })
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('flamegate://run/{run_id}')
    const { prompts } = await client.listPrompts()
    const { messages } = await client.getPrompt({
      name: prompts[1]?.name ?? '',
      arguments: { repository: 'acme/shop' },
    })
    expect(messages[0]?.content).toMatchObject({ type: 'text', text: expect.stringContaining('acme/shop') })
    await client.close()
  })
})

test.each([
  ['accept', ['delete_profile'], undefined],
  ['decline', [], true],
] as const)(
  'a client of 2026-07-28 asks its person before something is deleted: %s',
  async (action, done, isError) => {
    const client = new current.Client(info, {
      versionNegotiation: { mode: 'auto' },
      capabilities: { elicitation: {} },
    })
    const asked: string[] = []
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message)
      return { action, content: {} }
    })
    const headers = { authorization: `Bearer ${await gateway.makeToken({ scopes: ['write'] })}` }
    await client.connect(new current.StreamableHTTPClientTransport(url, { requestInit: { headers } }))
    gateway.calls.length = 0
    const result = await client.callTool({ name: 'delete_profile', arguments: { profile_id: 'prf_1' } })
    expect(asked).toEqual([expect.stringContaining('profile_id: prf_1')])
    expect(result.isError).toBe(isError)
    expect(gateway.calls.map(({ operation }) => operation).filter((name) => name !== 'fetch')).toEqual(done)
    await client.close()
  },
)

test('without a token every client is told that it is not authorized', async () => {
  await expect(new FirstClient(info).connect(new FirstTransport(url))).rejects.toMatchObject({ code: 401 })
  const client = new current.Client(info, { versionNegotiation: { mode: 'auto' } })
  await expect(client.connect(new current.StreamableHTTPClientTransport(url))).rejects.toMatchObject({
    status: 401,
  })
})

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise((resolve) => {
    server.close(resolve)
  })
  if (address === null || typeof address === 'string') throw new TypeError('No port')
  return address.port
}
