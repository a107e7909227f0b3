import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { CouldNotMeasure } from '../could-not-measure.ts'
import type { HttpTarget, McpTarget } from '../target/mcp-target.ts'
import { sampleCommand, startSampleServer } from '../testing/start-sample-server.ts'
import { serveWithLogIn } from '../testing/serve-with-log-in.ts'
import { openSession, type McpSession } from './open-session.ts'
import type { WireAnswer } from './wire.ts'

const options = { env: process.env, timeoutMs: 20_000, showLogIn: () => {} }

function stdio(command = sampleCommand): McpTarget {
  return { kind: 'stdio', name: 'sample', from: 'a test', command, env: {}, cwd: import.meta.dirname }
}

function http(
  url: string,
  headers: Record<string, string> = {},
  transport: HttpTarget['transport'] = 'streamable_http',
): McpTarget {
  return { kind: 'http', name: 'sample', from: 'a test', url, transport, headers }
}

async function open(target: McpTarget, more: Partial<typeof options> = {}): Promise<McpSession> {
  const session = await openSession(target, { ...options, ...more })
  onTestFinished(() => session.close())
  return session
}

function call({ wire }: McpSession, name: string, input: Record<string, unknown> = {}): Promise<WireAnswer> {
  return wire.call(wire.prepare('tools/call', { name, arguments: input }))
}

const ways: [string, () => Promise<McpTarget>][] = [
  ['stdio', async () => Promise.resolve(stdio())],
  ['Streamable HTTP', async () => http((await startSampleServer()).url)],
]

test.each(ways)('over %s calls go past the SDK, in the session that it opened', async (_way, target) => {
  const session = await open(await target())
  expect(session.server).toEqual({ name: 'sample', version: '1.2.3', protocolVersion: '2025-11-25' })
  expect([...session.capabilities]).toEqual(expect.arrayContaining(['tools', 'resources']))

  const echoed = await call(session, 'echo', { text: 'Grüße' })
  expect(echoed).toMatchObject({ failure: null, result: { content: [{ type: 'text', text: 'Grüße' }] } })
  const message = { jsonrpc: '2.0', id: 1_000_000_000, method: 'tools/call' }
  const sent = JSON.stringify({ ...message, params: { name: 'echo', arguments: { text: 'Grüße' } } })
  expect(echoed.requestBytes).toBe(Buffer.byteLength(sent))
  expect(echoed.resultBytes).toBeGreaterThan(50)

  const slow = await call(session, 'slow')
  expect(slow.endedAtMs - slow.sentAtMs).toBeGreaterThan(19)
  expect(await call(session, 'timed')).toMatchObject({ serverTimeMs: 7 })
})

test.each(ways)('over %s each way to fail is told apart', async (_way, target) => {
  const session = await open(await target(), { timeoutMs: 1500 })
  expect(await call(session, 'fails')).toMatchObject({
    failure: { kind: 'is_error', code: null, message: 'It did not work.' },
  })
  expect(await session.wire.call(session.wire.prepare('no/such', {}))).toMatchObject({
    failure: { kind: 'json_rpc', code: -32_601 },
  })
  expect(await call(session, 'hang')).toMatchObject({ failure: { kind: 'timeout', code: null } })
})

test('many calls at a time each get their own answer', async () => {
  for (const [, target] of ways) {
    const session = await open(await target())
    const texts = Array.from({ length: 50 }, (_, index) => `text ${index}`)
    const answers = await Promise.all(texts.map((text) => call(session, 'echo', { text })))
    expect(answers.map(({ result }) => result)).toMatchObject(texts.map((text) => ({ content: [{ text }] })))
  }
})

test('a server that ends is told with its code, and answers nothing more', async () => {
  const session = await open(stdio())
  expect(await call(session, 'quit')).toMatchObject({
    failure: { kind: 'ended', message: 'The server ended with code 3.' },
  })
  expect(await call(session, 'echo', { text: 'again' })).toMatchObject({ failure: { kind: 'ended' } })
})

test('a stream of events has a first event before its result', async () => {
  const session = await open(http((await startSampleServer()).url))
  const { sentAtMs, firstEventAtMs, endedAtMs, failure } = await call(session, 'stream')
  expect(failure).toBeNull()
  expect(firstEventAtMs).toBeGreaterThan(sentAtMs)
  expect(endedAtMs - (firstEventAtMs ?? endedAtMs)).toBeGreaterThan(10)
})

test('an HTTP status that is no answer, a closed port and a program that is none are told', async () => {
  const { url } = await startSampleServer()
  await expect(openSession(http(url, { 'x-unlucky': '1' }), options)).rejects.toThrow(CouldNotMeasure)
  await expect(openSession(http('http://127.0.0.1:4/mcp'), options)).rejects.toThrow(/ECONNREFUSED/)
  await expect(openSession(stdio(['no-such-program']), options)).rejects.toThrow(/ENOENT/)
  await expect(
    openSession(stdio([process.execPath, '-e', 'console.error("no database"); process.exit(1)']), options),
  ).rejects.toThrow(/It said: no database/)
})

test('a server that asks for a log-in gets one, and its time is apart', async () => {
  const url = await serveWithLogIn()
  const pages: URL[] = []
  const session = await open(http(url), {
    showLogIn: (page?: URL) => {
      if (page === undefined) return
      pages.push(page)
      // The browser: it follows to the address that waits.
      void fetch(page)
    },
  })
  expect(pages).toHaveLength(1)
  expect(session.connection.oauthMs).toBeGreaterThan(0)
  expect(await call(session, 'peek')).toMatchObject({ failure: null })
})

test('a token that is given is sent, and nobody is asked', async () => {
  const session = await open(http(await serveWithLogIn(), { authorization: 'Bearer let-me-in' }))
  expect(session.connection.oauthMs).toBeNull()
  expect(await call(session, 'peek')).toMatchObject({ failure: null })
})

test('a server of the transport before, with its one stream of events, is measured too', async () => {
  const url = await serveSse()
  const session = await open(http(url, {}, 'sse'), { timeoutMs: 1000 })
  const answers = await Promise.all([call(session, 'echo'), call(session, 'echo')])
  expect(answers).toMatchObject([{ failure: null }, { failure: null }])
  expect(answers.map(({ result }) => result)).toEqual([{ asked: 1_000_000_000 }, { asked: 1_000_000_001 }])
  expect(await call(session, 'fails')).toMatchObject({ failure: { kind: 'json_rpc', code: -1 } })
  expect(await call(session, 'hang')).toMatchObject({ failure: { kind: 'timeout' } })
})

test('what a server asks in the middle of an answer is answered, so that it can go on', async () => {
  const session = await open(http(await serveByHand(answerAsking)), { timeoutMs: 3000 })
  expect((await call(session, 'asks')).result).toEqual({
    ping: { result: {} },
    roots: { error: -32_601 },
    text: 'ü'.repeat(50_000),
  })
})

test('a server that sends on to the same path with a slash is called there', async () => {
  const moved = await serveByHand((request, response, { id, method }) => {
    if (!request.url?.endsWith('/')) return response.writeHead(307, { location: `${request.url}/` }).end()
    return answerJson(response, { id, result: oldResult(Number(id), method) })
  })
  const session = await open(http(moved))
  expect(await call(session, 'echo')).toMatchObject({ failure: null, result: { asked: 1_000_000_000 } })
})

test('an id that a server writes as a text is that of the call, over standard streams and over events', async () => {
  const script = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'textual', version: '1' } }
    if (id === undefined) return
    console.log(JSON.stringify({ jsonrpc: '2.0', id: String(id), method: 'roots/list' }))
    console.log(JSON.stringify({ jsonrpc: '2.0', id: String(id), result: method === 'initialize' ? hello : {} }))
  })`
  const streaming = await serveByHand((_request, response, { id, method }) =>
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(eventOf({ id: String(id), result: oldResult(Number(id), method) })),
  )
  for (const target of [stdio([process.execPath, '-e', script]), http(streaming)])
    expect(await call(await open(target, { timeoutMs: 1000 }), 'any')).toMatchObject({ failure: null })
})

test('a server that does not answer the end of a session holds nobody up', async () => {
  const url = await serveByHand((request, response, { id, method }) => {
    if (request.method === 'DELETE') return undefined
    return answerJson(response, { id, result: oldResult(Number(id), method) }, { 'mcp-session-id': 'one' })
  })
  const session = await openSession(http(url), options)
  const from = performance.now()
  await session.close()
  expect(performance.now() - from).toBeLessThan(5000)
})

type Answer = (request: IncomingMessage, response: ServerResponse, message: z.output<typeof asked>) => unknown

/** Streamable HTTP without any SDK; `answer` is told of requests, and of what is no message. */
async function serveByHand(answer: Answer): Promise<string> {
  return serve(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(405).end()
      return
    }
    const message = request.method === 'POST' ? asked.parse(await json(request)) : { method: '' }
    if (message.method.startsWith('notifications/')) response.writeHead(202).end()
    else answer(request, response, message)
  })
}

function answerJson(response: ServerResponse, message: object, headers: Record<string, string> = {}): void {
  response
    .writeHead(200, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ jsonrpc: '2.0', ...message }))
}

function eventOf(message: object): string {
  return `event: message\r\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\r\n\r\n`
}

const waiting = new Map<unknown, (answer: z.output<typeof asked>) => void>()

/** A tool that wants to know something of its client before it answers, in pieces of any size. */
async function answerAsking(
  _request: IncomingMessage,
  response: ServerResponse,
  message: z.output<typeof asked>,
): Promise<void> {
  const { id, method, result, error } = message
  if (result !== undefined || error !== undefined) {
    response.writeHead(202).end()
    waiting.get(id)?.(message)
    return
  }
  if (method !== 'tools/call') return answerJson(response, { id, result: oldResult(Number(id), method) })
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const ask = async (own: string, what: string) => {
    const told = new Promise<z.output<typeof asked>>((resolve) => waiting.set(own, resolve))
    const bytes = Buffer.from(
      eventOf({ method: 'notifications/message', params: { data: 'ü' } }) +
        eventOf({ id: own, method: what }),
    )
    for (const part of [bytes.subarray(0, 71), bytes.subarray(71)]) {
      response.write(part)
      await pause(5)
    }
    return told
  }
  const ping = await ask('a', 'ping')
  const roots = await ask('b', 'roots/list')
  const said = {
    ping: { result: ping.result },
    roots: { error: roots.error?.code },
    text: 'ü'.repeat(50_000),
  }
  response.end(eventOf({ id, result: said }))
}

/** https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse */
async function serveSse(): Promise<string> {
  let stream: ServerResponse | undefined
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
      stream.write('event: endpoint\ndata: /messages\n\n')
      return
    }
    const { id, method, params } = asked.parse(await json(request))
    response.writeHead(202).end()
    if (id === undefined || params?.name === 'hang') return
    const said =
      params?.name === 'fails'
        ? { error: { code: -1, message: 'no' } }
        : { result: oldResult(Number(id), method) }
    stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, ...said })}\n\n`)
  }
  return serve(answer)
}

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<string> {
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`
}

const asked = z.object({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string().default(''),
  params: z.object({ name: z.string().optional() }).optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number() }).optional(),
})

function oldResult(id: number, method: string): object {
  if (method !== 'initialize') return { asked: id }
  return { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 'old', version: '1' } }
}
