import { EventEmitter, once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { noteForAccessLog } from './access-log.ts'
import { createLogger } from './logger.ts'
import { createServer } from './server.ts'

const lines: unknown[] = []
const slowStarted = new EventEmitter()
const log = createLogger({
  level: 'info',
  format: 'json',
  destination: { write: (line) => lines.push(JSON.parse(line)) },
})

afterEach(() => {
  lines.length = 0
})

function server() {
  const app = createServer({ log })
  app.get('/things/:id', async (incoming) => {
    noteForAccessLog(incoming, { operation: 'get_thing' })
    noteForAccessLog(incoming, { workspaceId: 'ws_1' })
    return { requestId: incoming.id }
  })
  app.get('/slow', () => {
    slowStarted.emit('started')
    return new Promise(() => {})
  })
  return app
}

test('a well-formed x-request-id is kept, answered and logged; one line per request, with the route template', async () => {
  const answer = await server().inject({
    url: '/things/7?token=hush',
    headers: { 'x-request-id': 'req-12345678' },
  })
  expect(answer.headers['x-request-id']).toBe('req-12345678')
  expect(answer.json()).toEqual({ requestId: 'req-12345678' })
  expect(lines).toEqual([
    {
      level: 'info',
      time: expect.any(String),
      requestId: 'req-12345678',
      method: 'GET',
      route: '/things/:id',
      status: 200,
      ms: expect.any(Number),
      operation: 'get_thing',
      workspaceId: 'ws_1',
      msg: 'request',
    },
  ])
})

test.each(['short', 'has space in it', 'x'.repeat(200), 'line\\nbreak-12345'])(
  'the id %j is replaced',
  async (id) => {
    const answer = await server().inject({ url: '/things/7', headers: { 'x-request-id': id } })
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  },
)

test('an address that cannot be read is refused as a problem; a part of it may be as long as a field', async () => {
  for (const part of ['%FF', 'x'.repeat(1_001)]) {
    const answer = await server().inject({ url: `/things/${part}` })
    expect(answer.statusCode).toBe(400)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.json()).toMatchObject({ code: 'malformed_request', request_id: expect.any(String) })
  }
  expect((await server().inject({ url: `/things/${'x'.repeat(1_000)}` })).statusCode).toBe(200)
})

test('a request that says it is JSON and has nothing to send is one without a body', async () => {
  const app = server()
  app.post('/things', ({ body }) => ({ isThere: body !== undefined }))
  const send = (payload: string) =>
    app.inject({ method: 'POST', url: '/things', headers: { 'content-type': 'application/json' }, payload })
  expect((await send('')).json()).toEqual({ isThere: false })
  expect((await send('{}')).json()).toEqual({ isThere: true })
  expect((await send('{')).statusCode).toBe(400)
  expect((await send('{"__proto__":{}}')).statusCode).toBe(400)
})

test('an unknown path is logged as unmatched, so that scanners cannot write our log', async () => {
  await server().inject({ url: '/wp-admin/../../etc' })
  expect(lines.at(-1)).toMatchObject({ route: 'unmatched', status: 404 })
})

test('a client that goes away is logged with 499', async () => {
  const app = server()
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const outgoing = request(`${address}/slow`)
  outgoing.on('error', () => {})
  outgoing.end()
  await once(slowStarted, 'started')
  outgoing.destroy()
  await expect.poll(() => lines.at(-1)).toMatchObject({ msg: 'request', route: '/slow', status: 499 })
  await app.close()
})

test.each(['with its length', 'in chunks'])('the refusal of a large body arrives: %s', async (how) => {
  const app = createServer({ log, bodyLimitBytes: 1_000 })
  app.post('/things', async () => 'stored')
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const sizeBytes = 30_000_000
  const agent = new Agent({ keepAlive: true })
  const sending = request({
    agent,
    port,
    method: 'POST',
    path: '/things',
    headers: {
      'content-type': 'application/json',
      ...(how === 'with its length' ? { 'content-length': sizeBytes } : {}),
    },
  })
  // Most of it is sent after the server has refused.
  const answered = once(sending, 'response')
  const ended = once(sending, 'close')
  sending.write(Buffer.alloc(1_100, 'x'))
  const [answer] = await answered
  sending.end(Buffer.alloc(sizeBytes - 1_100, 'x'))
  answer.resume()
  await ended
  expect(answer.statusCode).toBe(413)
  agent.destroy()
  await app.close()
})

test('a request that is on its way when the server is closed is answered, and its connection closed', async () => {
  const app = createServer({ log })
  app.get('/thing', async () => 'here')
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(port), '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  const closed = once(socket, 'close')
  // The second has not arrived as a whole when the first is answered.
  const head = 'GET /thing HTTP/1.1\r\nhost: localhost\r\n'
  socket.write(`${head}\r\n${head}`)
  await expect.poll(() => heard).toMatch(/here$/)
  const first = heard.length
  const closing = app.close()
  await expect.poll(() => app.server.listening).toBe(false)
  socket.write('\r\n')
  await Promise.all([closing, closed])
  heard = heard.slice(first)
  expect(heard).toMatch(/^HTTP\/1\.1 200 /)
  expect(heard).toMatch(/\r\nconnection: close\r\n/i)
})
