import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { operations } from '@flamegate/contract'
import { expect, onTestFinished, test } from 'vitest'
import { ApiProblem, ApiUnreachable, parseRetryAfter } from './api-problem.ts'
import { createClient } from './create-client.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A server on a free loopback port that answers the first call with the first answer, and so on. */
async function serve(...answers: Answer[]) {
  const requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
      const answer = answers[Math.min(requests.length, answers.length) - 1]
      answer?.(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port')
  return { baseUrl: `http://127.0.0.1:${address.port}`, requests }
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}

const hangUp: Answer = (request) => request.socket.destroy()
const workspaces = { workspaces: [], url: 'https://flamegate.example/workspaces' }

test('call() answers what the API answered, and sends the token and the headers', async () => {
  const { baseUrl, requests } = await serve(json(200, workspaces))
  const client = createClient({ baseUrl, token: 'fg_secret', headers: { 'user-agent': 'flamegate-cli' } })
  expect(await client.call(operations.listWorkspaces, {})).toEqual(workspaces)
  expect(requests).toMatchObject([
    {
      method: 'GET',
      url: '/v1/workspaces',
      headers: { authorization: 'Bearer fg_secret', 'user-agent': 'flamegate-cli' },
    },
  ])
})

test('call() asks once for another token when the API refuses one, and says the same call again', async () => {
  const refused = { type: 'x', title: 'x', status: 401, code: 'unauthenticated', detail: 'Refresh it.' }
  const { baseUrl, requests } = await serve(json(401, refused), json(200, workspaces), json(401, refused))
  const asked: unknown[] = []
  const token = async (old?: string) => {
    asked.push(old)
    return old === undefined ? 'old' : 'new'
  }
  const client = createClient({ baseUrl, token })
  expect(await client.call(operations.listWorkspaces, {})).toEqual(workspaces)
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
  expect(asked).toEqual([undefined, 'old'])
  await expect(client.call(operations.listWorkspaces, {})).rejects.toThrow('Refresh it.')
  expect(requests).toHaveLength(4)
  const fixed = createClient({ baseUrl, token: 'fg_secret' })
  await expect(fixed.call(operations.listWorkspaces, {})).rejects.toThrow('Refresh it.')
  expect(requests).toHaveLength(5)
})

test('call() asks for the token each time when it is given a way to get one, and throws what that throws', async () => {
  const { baseUrl, requests } = await serve(json(200, workspaces), json(200, workspaces))
  const tokens = ['first', 'second']
  const token = async () => {
    const next = tokens.shift()
    if (next === undefined) throw new RangeError('Nobody is logged in.')
    return next
  }
  const client = createClient({ baseUrl, token })
  await client.call(operations.listWorkspaces, {})
  await client.call(operations.listWorkspaces, {})
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer first', 'Bearer second'])
  await expect(client.call(operations.listWorkspaces, {})).rejects.toThrow('Nobody is logged in.')
})

test('call() throws the problem with its fields', async () => {
  const { baseUrl } = await serve(
    json(400, {
      type: 'https://flamegate.example/docs/problems#invalid_input',
      title: 'The input is not valid',
      status: 400,
      code: 'invalid_input',
      detail: 'One field is wrong.',
      errors: [{ field: 'name', message: 'Too short' }],
      request_id: 'req-1',
    }),
  )
  const call = createClient({ baseUrl }).call(operations.createProject, { workspace_id: 'ws_1', name: '' })
  const problem = await call.catch((error: unknown) => error)
  expect(problem).toBeInstanceOf(ApiProblem)
  expect(problem).toMatchObject({
    status: 400,
    code: 'invalid_input',
    title: 'The input is not valid',
    message: 'One field is wrong.',
    errors: [{ field: 'name', message: 'Too short' }],
    requestId: 'req-1',
  })
})

test('call() makes a problem of an answer that is none', async () => {
  const { baseUrl } = await serve((_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'))
  await expect(createClient({ baseUrl }).call(operations.listWorkspaces, {})).rejects.toMatchObject({
    status: 502,
    code: 'unknown',
    title: 'The server answered 502',
  })
})

test.each(['<!doctype html><title>Log in to the network</title>', ''])(
  'call() takes a success that is no answer of the API for none: %j',
  async (body) => {
    const { baseUrl } = await serve((_, response) => response.writeHead(200).end(body))
    const call = createClient({ baseUrl }).call(operations.listWorkspaces, {})
    await expect(call).rejects.toBeInstanceOf(ApiUnreachable)
    await expect(call).rejects.toThrow('The server does not answer as Flamegate does.')
  },
)

test('call() tries a GET again after a lost connection', async () => {
  const { baseUrl, requests } = await serve(hangUp, json(200, workspaces))
  expect(await createClient({ baseUrl }).call(operations.listWorkspaces, {})).toEqual(workspaces)
  expect(requests).toHaveLength(2)
})

test('call() gives up on a GET after three attempts', async () => {
  const { baseUrl, requests } = await serve(hangUp)
  await expect(createClient({ baseUrl }).call(operations.listWorkspaces, {})).rejects.toThrow(ApiUnreachable)
  expect(requests).toHaveLength(3)
})

test('call() waits as long as a 503 says, and does not repeat one that says nothing', async () => {
  const unavailable = { title: 'Not now', code: 'unavailable', detail: 'Restarting.' }
  const patient = await serve(json(503, unavailable, { 'retry-after': '0' }), json(200, workspaces))
  expect(await createClient(patient).call(operations.listWorkspaces, {})).toEqual(workspaces)

  const silent = await serve(json(503, unavailable), json(200, workspaces))
  await expect(createClient(silent).call(operations.listWorkspaces, {})).rejects.toMatchObject({
    status: 503,
  })
  expect(silent.requests).toHaveLength(1)
})

test('call() never repeats what writes, and gives a creating call an idempotency key', async () => {
  const { baseUrl, requests } = await serve(hangUp)
  const client = createClient({ baseUrl })
  const input = { workspace_id: 'ws_1', name: 'Shop' }
  await expect(client.call(operations.createProject, input)).rejects.toThrow(ApiUnreachable)
  await expect(client.call(operations.createProject, input, { idempotencyKey: 'mine' })).rejects.toThrow(
    ApiUnreachable,
  )
  expect(requests.map((request) => request.headers['idempotency-key'])).toEqual([
    expect.stringMatching(/^[0-9a-f]{32}$/),
    'mine',
  ])
})

test('call() ends with the reason of the signal, also while it waits for another attempt', async () => {
  const { baseUrl } = await serve(json(503, {}, { 'retry-after': '5' }))
  const controller = new AbortController()
  const call = createClient({ baseUrl }).call(operations.listWorkspaces, {}, { signal: controller.signal })
  setTimeout(() => controller.abort(new Error('The page was left')), 50)
  await expect(call).rejects.toThrow('The page was left')
})

test('call() does not wait for ever', async () => {
  const { baseUrl } = await serve(() => {})
  const client = createClient({ baseUrl, timeoutMs: 50 })
  await expect(client.call(operations.revokeApiToken, { api_token_id: 'tok_1' })).rejects.toThrow(
    'There was no answer within 0.05 s.',
  )
})

test('parseRetryAfter() reads seconds and dates', () => {
  expect(parseRetryAfter('120')).toBe(120)
  expect(parseRetryAfter('Wed, 21 Oct 2026 07:28:05 GMT', Date.parse('2026-10-21T07:28:00Z'))).toBe(5)
  expect(parseRetryAfter('soon')).toBeUndefined()
  expect(parseRetryAfter(null)).toBeUndefined()
})
