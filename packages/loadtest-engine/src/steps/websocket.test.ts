import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../testing/run.ts'
import { portOf } from '../testing/test-server.ts'

const http = createServer((_request, response) => response.setHeader('set-cookie', 'sid=s1').end('in'))
const sockets = new WebSocketServer({ noServer: true })
let closedWith = 0

beforeAll(async () => {
  http.on('upgrade', (request, socket, head) => {
    if (request.url === '/refused') {
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.send(
        `hello ${request.headers.cookie ?? ''} ${String(request.headers['x-own'] ?? '')} ${client.protocol}`,
      )
      client.on('close', (code) => (closedWith = code))
      client.on('message', (data, isBinary) => {
        const text = Buffer.isBuffer(data) ? data.toString() : ''
        if (text === 'bye') client.close(4001, 'enough')
        else if (isBinary) client.send(data)
        else for (const each of ['noise', JSON.stringify({ id: 7, said: text })]) client.send(each)
      })
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  http.closeAllConnections()
  http.close()
})

const act = (operation: string, more: Record<string, unknown> = {}) => ({
  type: 'websocket',
  operation,
  ...more,
})
const connect = (more: Record<string, unknown> = {}) =>
  act('connect', { server_id: 'srv', path: '/live', ...more })
const runOn = (actions: Record<string, unknown>[]) =>
  run(actions, { servers: { srv: { base_url: `http://127.0.0.1:${portOf(http)}` } } })

test('a connection carries cookies and headers, messages are sent and expected, and it is closed', async () => {
  const { results } = await runOn([
    { type: 'http_request', method: 'GET', server_id: 'srv', path: '/' },
    connect({
      headers: [
        { name: 'X-Own', value: 'mine' },
        { name: 'Cookie', value: 'own=1' },
      ],
      subprotocols: ['chat'],
    }),
    act('expect', { contains: 'hello' }),
    act('send', { message: 'ping' }),
    act('expect', {
      pattern: '^\\{',
      extractors: [{ type: 'json_path', variable: 'id', path: '$.id' }],
      assertions: [{ type: 'json_path', path: '$.said', equals: 'ping' }],
    }),
    act('send', { message: '/w==', format: 'base64' }),
    act('expect'),
    act('close', { code: 4000 }),
    act('send', { message: 'late' }),
  ])
  expect(results.map(({ failure }) => failure)).toEqual([
    ...Array.from({ length: 8 }, () => null),
    'No WebSocket is connected under the name default.',
  ])
  expect(results[1]).toMatchObject({ status: 101 })
  expect(results[1]?.exchanges[0]?.exchange).toMatchObject({
    request: { url: `ws://127.0.0.1:${portOf(http)}/live` },
    response: { status: 101 },
  })
  expect(results[2]?.messages).toEqual(['← hello own=1; sid=s1 mine chat'])
  expect(results[4]?.messages).toEqual(['← (passed over) noise', '← {"id":7,"said":"ping"}'])
  expect(results[4]?.variables).toEqual({ id: '7' })
  expect(results[6]?.messages).toEqual(['← 1 bytes, base64 /w=='])
  expect(closedWith).toBe(4000)
})

test('a message that does not come, and a connection that ends, fail with words', async () => {
  const { results } = await runOn([
    connect(),
    act('expect', { contains: 'never', timeout_ms: 60 }),
    act('send', { message: 'bye' }),
    act('expect', { contains: 'never', timeout_ms: 5000 }),
  ])
  expect(results[1]?.failure).toBe('No message came in time. 1 that did not fit were passed over.')
  expect(results[3]?.failure).toBe('The connection was closed with the code 4001 (enough).')
})

test('a server that refuses, and a host that is refused, fail with words', async () => {
  const { results } = await runOn([connect({ path: '/refused' })])
  expect(results[0]).toMatchObject({ status: 403 })
  expect(results[0]?.failure).toBe('The server answered 403 Forbidden, and opened no WebSocket.')
  const refused = await run([connect()], { servers: { srv: { base_url: 'http://elsewhere.example' } } })
  expect(refused.results[0]?.failure).toContain('elsewhere.example is not a target of this project.')
})
