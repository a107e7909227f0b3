import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import {
  InMemoryTransport,
  parseJSONRPCMessage,
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
} from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { authorizedFetch } from './authorized-fetch.ts'
import { patientFetch } from './patient-fetch.ts'
import { StdioBridge } from './stdio-bridge.ts'

type Answer = (response: ServerResponse, message: Message, request: IncomingMessage) => void

interface Message {
  id?: number | string
  method?: string
  params?: Record<string, unknown>
}

/** An endpoint that answers each message as `answer` does. */
async function serve(answer: Answer, port = 0) {
  const seen: { message: Message; headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => void take(request, response))

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      response.writeHead(405).end()
      return
    }
    const message: Message = JSON.parse(await text(request))
    seen.push({ message, headers: request.headers })
    answer(response, message, request)
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(stop)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port')
  return { url: `http://127.0.0.1:${address.port}`, port: address.port, seen, stop }
}

/** A bridge to `url`, and the client's end of it. */
async function bridgeTo(url: string, token: string | ((refused?: string) => Promise<string>) = 'fg_1') {
  const [client, atClient] = InMemoryTransport.createLinkedPair()
  const said: string[] = []
  const got: JSONRPCMessage[] = []
  const platform = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    fetch: authorizedFetch({ url, token }, patientFetch),
  })
  const running = new StdioBridge({ client: atClient, platform, say: (words) => void said.push(words) }).run(
    new AbortController().signal,
  )
  Object.assign(client, { onmessage: (message: JSONRPCMessage) => void got.push(message) })
  await client.start()
  onTestFinished(async () => {
    await client.close()
    await running
  })
  return {
    said,
    got,
    send: (message: Message) => client.send(parseJSONRPCMessage({ jsonrpc: '2.0', ...message })),
    /** What came, once there is so much of it. */
    gets: async (count: number) => {
      await expect.poll(() => got.length).toBeGreaterThanOrEqual(count)
      return got
    },
  }
}

const json = (response: ServerResponse, status: number, body: object, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const result = (id: Message['id'], value: object = {}) => ({ jsonrpc: '2.0', id, result: value })
const event = (message: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`
const beginStream = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' })

const modern = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }

test('the revision that was agreed on is said with every request since, as each era has it', async () => {
  const { url, seen } = await serve((response, { id, method }) =>
    json(response, 200, result(id, method === 'initialize' ? { protocolVersion: '2025-06-18' } : {})),
  )
  const { send, gets } = await bridgeTo(url)
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } }
  await send({ id: 1, method: 'initialize', params })
  await gets(1)
  await send({ id: 2, method: 'tools/list' })
  await gets(2)
  await send({ id: 'three', method: 'tools/call', params: { name: 'get_run', ...modern } })
  expect((await gets(3)).map((message) => 'id' in message && message.id)).toEqual([1, 2, 'three'])
  const versions = seen.map(({ headers }) => [headers['mcp-protocol-version'], headers['mcp-name']])
  expect(versions).toEqual([
    [undefined, undefined],
    ['2025-06-18', undefined],
    ['2026-07-28', 'get_run'],
  ])
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill('Bearer fg_1'))
})

test('progress and other notifications come before the answer, in their order', async () => {
  const { url } = await serve((response, { id }) => {
    beginStream(response)
    for (const progress of [1, 2]) {
      response.write(event({ method: 'notifications/progress', params: { progressToken: 'p', progress } }))
    }
    response.end(event({ id, result: {} }))
  })
  const { send, gets } = await bridgeTo(url)
  await send({ id: 1, method: 'tools/call', params: { name: 'a', _meta: { progressToken: 'p' } } })
  expect(await gets(3)).toMatchObject([{ params: { progress: 1 } }, { params: { progress: 2 } }, { id: 1 }])
})

test('to call off a request of 2026-07-28 hangs up on it, and nobody answers it any more', async () => {
  const hungUp = Promise.withResolvers<void>()
  const { url, seen } = await serve((response, { id, method }) => {
    if (method === 'tools/call') response.once('close', () => hungUp.resolve())
    else json(response, 200, result(id))
  })
  const { send, gets, said } = await bridgeTo(url)
  await send({ id: 1, method: 'tools/call', params: { name: 'slow', ...modern } })
  await expect.poll(() => seen.length).toBe(1)
  await send({ method: 'notifications/cancelled', params: { requestId: 1 } })
  await hungUp.promise
  await send({ id: 2, method: 'tools/list', params: modern })
  expect(await gets(1)).toEqual([result(2)])
  expect(seen.map(({ message }) => message.method)).toEqual(['tools/call', 'tools/list'])
  expect(said).toEqual([])
})

test('before 2026-07-28 to call off is said', async () => {
  const { url, seen } = await serve((response, { method }) => {
    if (method !== 'tools/call') response.writeHead(202).end()
  })
  const { send } = await bridgeTo(url)
  await send({ id: 1, method: 'tools/call', params: { name: 'slow' } })
  await send({ method: 'notifications/cancelled', params: { requestId: 1 } })
  await expect.poll(() => seen.map(({ message }) => message.method)).toContain('notifications/cancelled')
})

test('a token that is over is renewed once, for all requests that are under way', async () => {
  const { url } = await serve((response, { id }, { headers }) =>
    headers.authorization === 'Bearer new'
      ? json(response, 200, result(id))
      : json(response, 401, { error: 'invalid_token' }),
  )
  let token = 'old'
  const renewed: string[] = []
  const { send, gets, said } = await bridgeTo(url, async (refused) => {
    if (refused === token) {
      renewed.push(refused)
      token = 'new'
    }
    return Promise.resolve(token)
  })
  await Promise.all([1, 2, 3].map((id) => send({ id, method: 'ping' })))
  expect(await gets(3)).toEqual(expect.arrayContaining([1, 2, 3].map((id) => result(id))))
  expect(renewed).toEqual(['old'])
  expect(said).toEqual([])
})

test.each<[string, Answer, RegExp]>([
  ['a token that is no good', (response) => json(response, 401, {}), /refuses the token/],
  [
    'an address that is not there',
    (response) => json(response, 404, { detail: 'There is no toolset x.' }),
    /There is no toolset x\./,
  ],
  ['a proxy that is broken', (response) => response.writeHead(502).end('<html>'), /answered 502/],
  [
    'a refusal in words of the protocol',
    (response, { id }) =>
      json(response, 404, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'No such method' } }),
    /No such method/,
  ],
  [
    'an answer that breaks off',
    (response) => beginStream(response).end(event({ method: 'notifications/progress', params: {} })),
    /connection was lost/,
  ],
])('%s is an answer in words, and on stderr', async (_what, answer, words) => {
  const { url } = await serve(answer)
  const { send, got, said } = await bridgeTo(url)
  await send({ id: 1, method: 'tools/list' })
  await expect
    .poll(() => got.find((message) => 'error' in message))
    .toMatchObject({
      id: 1,
      error: { message: expect.stringMatching(words) },
    })
  expect(said).toEqual([expect.stringMatching(words)])
})

test('a platform that is restarted is waited for', async () => {
  const answer: Answer = (response, { id }) => json(response, 200, result(id))
  const { url, port, stop } = await serve(answer)
  const { send, gets, said } = await bridgeTo(url)
  stop()
  await send({ id: 1, method: 'ping' })
  await serve(answer, port)
  expect(await gets(1)).toEqual([result(1)])
  expect(said).toEqual([])
})

test('a subscription whose connection is lost is asked for again', async () => {
  const { url, seen } = await serve((response) => {
    beginStream(response).write(event({ method: 'notifications/subscriptions/acknowledged', params: {} }))
    if (seen.length === 1) response.end()
    else response.write(event({ method: 'notifications/tools/list_changed' }))
  })
  const { send, got, said } = await bridgeTo(url)
  await send({ id: 'all', method: 'subscriptions/listen', params: modern })
  await expect
    .poll(() => got.map((message) => 'method' in message && message.method))
    .toContain('notifications/tools/list_changed')
  expect(seen).toHaveLength(2)
  expect(said).toEqual([])
})
