import { createAuthenticator } from '@flamegate/auth'
import { createMemoryIdentity } from '@flamegate/auth/testing'
import { operations, Problem } from '@flamegate/contract'
import type { Principal } from '@flamegate/contract'
import { createLogger } from '@flamegate/runtime'
import { mediaTypes, problemHandler } from '@flamegate/surfaces'
import fastify from 'fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { httpApiCaller, inProcessApiCaller } from './api-caller.ts'

const log = createLogger({ level: 'silent' })
const docsUrl = 'http://localhost/v1/docs'
const principal: Principal = {
  userId: 'usr_ada',
  via: 'oauth',
  clientId: 'client-1',
  clientName: 'An agent',
  scopes: ['read'],
}
const origin = { principal, requestId: 'request-0001', ip: '192.0.2.7' }
const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

async function startApi(answer: (request: FastifyRequest, reply: FastifyReply) => unknown) {
  const app = fastify()
  app.post('/v1/tools/:name', async (request, reply) => answer(request, reply))
  const apiUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  const authenticator = await createAuthenticator({
    identity: createMemoryIdentity(),
    issuer: 'http://localhost',
  })
  const { assertions } = authenticator
  const caller = httpApiCaller({ apiUrl, assertions, docsUrl, log, timeoutMs: 300 })
  closing.push(
    () => app.close(),
    () => authenticator.close(),
    () => caller.close(),
  )
  return { caller, assertions, app }
}

const textOf = (body: string | Buffer) => body.toString()

describe('over HTTP', () => {
  test('no connection is idle for as long as an API takes to stop', async () => {
    const { caller, app } = await startApi((_request, reply) =>
      reply.type(mediaTypes.toolResult).send('{"content":[]}'),
    )
    await Promise.all([1, 2, 3].map(() => caller.call(operations.findTools, { query: 'x' }, origin)))
    const open = () =>
      new Promise<number>((resolve) => void app.server.getConnections((_error, count) => resolve(count)))
    expect(await open()).toBe(3)
    // The server itself would leave them open for 72 s.
    await expect.poll(open).toBe(0)
  })

  test('what changes nothing is asked again when the connection breaks, and nothing else is', async () => {
    let asked = 0
    const { caller } = await startApi((request, reply) => {
      asked += 1
      if (asked === 1) request.raw.socket.destroy()
      return reply.type(mediaTypes.toolResult).send('{"content":[]}')
    })
    expect((await caller.call(operations.findTools, { query: 'x' }, origin)).status).toBe(200)
    expect(asked).toBe(2)
    asked = 0
    expect((await caller.call(operations.createProject, {}, origin)).status).toBe(503)
    expect(asked).toBe(1)
  })

  test('the API gets the arguments, who calls, and nothing of the client', async () => {
    let seen: FastifyRequest | undefined
    const { caller, assertions } = await startApi((request, reply) => {
      seen = request
      return reply.type(mediaTypes.toolResult).send('{"content":[]}')
    })
    const answer = await caller.call(operations.findTools, { query: 'ä' }, origin)
    expect([answer.status, textOf(answer.body)]).toEqual([200, '{"content":[]}'])
    expect(seen?.url).toBe('/v1/tools/find_tools')
    expect(seen?.body).toEqual({ query: 'ä' })
    expect(seen?.headers).toMatchObject({ 'x-request-id': 'request-0001', 'x-forwarded-for': '192.0.2.7' })
    expect(seen?.headers).not.toHaveProperty('authorization')
    expect(await assertions.verify(String(seen?.headers['x-flamegate-caller']))).toEqual(principal)
  })

  test('a call that is not to be done yet goes to another address, and says so', async () => {
    const seen: [string, unknown][] = []
    const { caller } = await startApi((request, reply) => {
      seen.push([request.url, request.headers['x-flamegate-call']])
      return reply.type(mediaTypes.toolResult).send('{"content":[]}')
    })
    const operation = operations.deleteProfile
    const more = { isHandedOn: true, confirmation: 'required' } as const
    await caller.call(operation, {}, { ...origin, confirmation: 'given' })
    expect((await caller.call(operation, {}, { ...origin, ...more })).status).not.toBe(200)
    expect(seen).toEqual([['/v1/tools/delete_profile', 'given']])
  })

  test('no arguments are an empty object', async () => {
    const { caller } = await startApi((request, reply) =>
      reply.type(mediaTypes.toolResult).send(JSON.stringify(request.body)),
    )
    expect(textOf((await caller.call(operations.findTools, undefined, origin)).body)).toBe('{}')
  })

  test('a refusal comes with its status and the words of the API', async () => {
    const { caller } = await startApi((_request, reply) =>
      reply.code(404).type(mediaTypes.toolResult).send('{"content":[],"isError":true}'),
    )
    const answer = await caller.call(operations.findTools, {}, origin)
    expect([answer.status, textOf(answer.body)]).toEqual([404, '{"content":[],"isError":true}'])
  })

  test('a refusal that is about the caller alone is told from others', async () => {
    const { caller } = await startApi((request, reply) => {
      const problem = new Problem('rate_limited', 'Too much.', {
        retryAfterSeconds: 1,
        callerLimit: request.url.endsWith('/find_tools') ? 'tool' : undefined,
      })
      return problemHandler(docsUrl)(problem, request, reply)
    })
    const ofCaller = await caller.call(operations.findTools, {}, origin)
    const ofWorkspace = await caller.call(operations.listRuns, {}, origin)
    expect([ofCaller, ofWorkspace].map(({ status, callerLimit }) => [status, callerLimit])).toEqual([
      [429, 'tool'],
      [429, undefined],
    ])
  })

  test('an answer in many pieces is one', async () => {
    const result = `{"content":[],"text":"${'x'.repeat(500_000)}"}`
    const { caller } = await startApi((_request, reply) => reply.type(mediaTypes.toolResult).send(result))
    const { body } = await caller.call(operations.findTools, {}, origin)
    expect(textOf(body) === result).toBe(true)
  })

  test.each<[string, (reply: FastifyReply) => unknown]>([
    ['something else answers', (reply) => reply.code(502).type('text/html').send('<h1>Bad Gateway</h1>')],
    ['the connection breaks', (reply) => reply.raw.destroy()],
    ['it takes too long', () => new Promise(() => {})],
  ])('when %s, the caller is told whether trying again is safe', async (_name, answer) => {
    const { caller } = await startApi((_request, reply) => {
      void answer(reply)
      return reply.hijack()
    })
    const read = await caller.call(operations.findTools, {}, origin)
    expect(read.status).toBe(503)
    expect(JSON.parse(textOf(read.body))).toEqual({
      content: [{ type: 'text', text: expect.stringMatching(/\(unavailable\).*Try again in a few seconds/) }],
      isError: true,
    })
    const write = await caller.call(operations.createProject, {}, origin)
    expect(textOf(write.body)).toContain('Whether it was done is not known')
  })
})

describe('over HTTP, when nobody waits for the answer any more', () => {
  test('the API is hung up on', async () => {
    const hungUp = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const { caller } = await startApi(async (request) => {
      request.raw.socket.once('close', () => hungUp.resolve())
      begun.resolve()
      await hungUp.promise
    })
    const client = new AbortController()
    const answer = caller.call(operations.findTools, {}, origin, client.signal)
    await begun.promise
    client.abort()
    await hungUp.promise
    expect((await answer).status).toBe(503)
  })

  test('it is not called at all, if that was so before', async () => {
    let calls = 0
    const { caller } = await startApi((_request, reply) => {
      calls += 1
      return reply.type(mediaTypes.toolResult).send('{"content":[]}')
    })
    expect((await caller.call(operations.findTools, {}, origin, AbortSignal.abort())).status).toBe(503)
    expect((await caller.call(operations.findTools, {}, origin)).status).toBe(200)
    expect(calls).toBe(1)
  })
})

describe('in this process', () => {
  test('an answer is a tool result', async () => {
    const caller = inProcessApiCaller(
      () => Promise.resolve({ tools: [], url: 'http://localhost/connect' }),
      docsUrl,
      log,
    )
    const { status, body } = await caller.call(operations.findTools, {}, origin)
    expect(status).toBe(200)
    expect(JSON.parse(textOf(body))).toMatchObject({
      content: [{ type: 'text' }],
      structuredContent: { tools: [], url: 'http://localhost/connect' },
    })
  })

  test('what is too large for an agent is whole for the gateway itself', async () => {
    const project = operations.getProject.examples[0]?.output.project
    const projects = Array.from({ length: 200 }, () => project)
    const answer = { projects, next_cursor: null, url: 'http://localhost/projects' }
    const caller = inProcessApiCaller(() => Promise.resolve(answer), docsUrl, log)
    const forAgent = await caller.call(operations.listProjects, {}, origin)
    expect(JSON.parse(textOf(forAgent.body))).not.toHaveProperty('structuredContent')
    const forGateway = await caller.call(operations.listProjects, {}, { ...origin, isForGateway: true })
    expect(JSON.parse(textOf(forGateway.body))).toEqual({ content: [], structuredContent: answer })
  })

  test('a problem is a result that says so', async () => {
    const problem = new Problem('run_not_found', 'No such run in this workspace.')
    const caller = inProcessApiCaller(() => Promise.reject(problem), docsUrl, log)
    const { status, body } = await caller.call(operations.getRun, {}, origin)
    expect([status, textOf(body)]).toEqual([404, expect.stringContaining('No such run in this workspace.')])
  })

  test('of a defect nothing is told but the request id', async () => {
    const caller = inProcessApiCaller(() => Promise.reject(new Error('password=hunter2')), docsUrl, log)
    const { status, body } = await caller.call(operations.getRun, {}, origin)
    expect(status).toBe(500)
    expect(textOf(body)).toContain('request-0001')
    expect(textOf(body)).not.toContain('hunter2')
  })
})
