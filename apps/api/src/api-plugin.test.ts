import { connect } from 'node:net'
import { callerAssertionHeader, createAuthenticator, hashSecret, newSecret } from '@flamegate/auth'
import { createMemoryIdentity } from '@flamegate/auth/testing'
import { operations, Problem, type Principal } from '@flamegate/contract'
import type { CallOrigin } from '@flamegate/operations'
import {
  callBytesMax,
  callMarksHeader,
  callPath,
  mediaTypes,
  writeCallMarks,
  type CallMarks,
} from '@flamegate/surfaces'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { apiPlugin } from './api-plugin.ts'

const publicUrl = 'http://localhost'
const principal: Principal = {
  userId: 'usr_ada',
  via: 'oauth',
  clientId: 'claude',
  clientName: 'Claude',
  scopes: ['read'],
}
let app: FastifyInstance
let serve: () => Promise<{ app: FastifyInstance; address: string }>
let assertion: string
let apiToken: string
let origins: CallOrigin[]
let answer: () => Promise<Record<string, unknown> & { url: string }>
const closing: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const identity = createMemoryIdentity()
  const authenticator = await createAuthenticator({ identity, issuer: publicUrl })
  assertion = await authenticator.assertions.sign(principal)
  apiToken = newSecret('fg_')
  identity.addApiToken(hashSecret(apiToken), {
    id: 'tok_1',
    name: 'CI',
    userId: 'usr_ada',
    workspaceId: 'ws_1',
    scopes: ['read'],
    expiresAt: null,
  })
  serve = async () => {
    const served = fastify({ forceCloseConnections: true })
    await served.register(
      apiPlugin({
        execute: async (_operation, _input, origin) => {
          origins.push(origin)
          return answer()
        },
        authenticator,
        idempotency: {
          store: {
            claim: () => Promise.reject(new TypeError('No key was sent')),
            complete: () => Promise.resolve(),
            release: () => Promise.resolve(),
          },
          sealing: { seal: async (plain) => plain, open: async (sealed) => sealed },
        },
        publicUrl,
        allowAssertion: true,
      }),
    )
    return { app: served, address: await served.listen({ host: '127.0.0.1', port: 0 }) }
  }
  app = (await serve()).app
  closing.push(
    () => app.close(),
    () => authenticator.close(),
  )
})
afterAll(() => Promise.all(closing.map((close) => close())))
beforeEach(() => {
  origins = []
  answer = () => Promise.resolve({ projects: [], next_cursor: null, url: publicUrl })
})

const { listProjects } = operations

function call(marks: CallMarks, credential: Record<string, string>, path = callPath(listProjects.id, marks)) {
  return app.inject({
    method: 'POST',
    url: path,
    headers: { ...credential, [callMarksHeader]: writeCallMarks(marks) ?? '' },
    payload: {},
  })
}

const asGateway = () => ({ [callerAssertionHeader]: assertion })

async function statusOf(path: string, bytes: number): Promise<number> {
  const payload = { padding: 'x'.repeat(bytes - '{"padding":""}'.length) }
  return (await app.inject({ method: 'POST', url: path, headers: asGateway(), payload })).statusCode
}

test('a call may be as large as a message over MCP, whichever address it comes to', async () => {
  const { runScenario } = operations
  const paths: [path: string, status: number][] = [
    [callPath(runScenario.id, {}), 202],
    // Only our own gateway may ask there, which says so in a header.
    [callPath(runScenario.id, { confirmation: 'required' }), 404],
    [runScenario.http.path.replaceAll(/\{\w+\}/g, 'x'), 202],
  ]
  for (const [path, status] of paths) {
    expect([path, await statusOf(path, callBytesMax)]).toEqual([path, status])
    expect([path, await statusOf(path, callBytesMax + 1)]).toEqual([path, 413])
  }
})

describe('what the gateway says of a call', () => {
  test.each<CallMarks>([
    { isHandedOn: true, confirmation: undefined, isForGateway: false },
    { isHandedOn: false, confirmation: 'given', isForGateway: false },
    { isHandedOn: true, confirmation: 'required', isForGateway: false },
    { isHandedOn: false, confirmation: 'declined', isForGateway: true },
  ])('is believed: %o', async (marks) => {
    await call(marks, asGateway())
    expect(origins).toMatchObject([marks])
  })

  test('gives the gateway itself the answer whatever its size', async () => {
    const project = operations.getProject.examples[0]?.output.project
    const projects = Array.from({ length: 200 }, () => project)
    answer = () => Promise.resolve({ projects, next_cursor: null, url: publicUrl })
    const headers = { ...asGateway(), accept: mediaTypes.toolResult }
    expect((await call({}, headers)).json()).not.toHaveProperty('structuredContent')
    expect((await call({ isForGateway: true }, headers)).json()).toMatchObject({
      structuredContent: { projects },
    })
  })

  test('is nothing when somebody else says it', async () => {
    await call({ isHandedOn: true, confirmation: 'given' }, { authorization: `Bearer ${apiToken}` })
    expect(origins).toMatchObject([{ principal: { clientId: 'tok_1' } }])
    expect(origins[0]).not.toHaveProperty('confirmation')
    expect(origins[0]).not.toHaveProperty('isHandedOn')
  })

  test('never makes a call of one that is asked about at the address for those that are not done', async () => {
    const path = `/v1/tools/${listProjects.id}/confirmations`
    const answers = [
      await call({ confirmation: 'given' }, asGateway(), path),
      await call({}, asGateway(), path),
      await call({ confirmation: 'required' }, { authorization: `Bearer ${apiToken}` }, path),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
    expect(origins).toEqual([])
  })
})

test('who hangs up before the answer aborts the call', async () => {
  const begun = Promise.withResolvers<void>()
  answer = () => {
    begun.resolve()
    return new Promise((_resolve, reject) => {
      origins[0]?.signal?.addEventListener('abort', () => reject(new Problem('cancelled', 'Nobody waits.')))
    })
  }
  const { port } = new URL(app.listeningOrigin)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    `GET /v1/workspaces/ws_1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiToken}\r\n\r\n`,
  )
  await begun.promise
  expect(origins[0]?.signal?.aborted).toBe(false)
  socket.destroy()
  await expect.poll(() => origins[0]?.signal?.aborted).toBe(true)
})

test('whoever has the answer has hung up on nothing', async () => {
  const headers = { authorization: `Bearer ${apiToken}`, connection: 'close' }
  const response = await fetch(`${app.listeningOrigin}/v1/workspaces/ws_1/projects`, { headers })
  await response.text()
  expect(origins[0]?.signal?.aborted).toBe(false)
})

test('closing waits for a call whose client has hung up', async () => {
  const { app: own, address } = await serve()
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  answer = async () => {
    begun.resolve()
    await over.promise
    return { projects: [], next_cursor: null, url: publicUrl }
  }
  const hangUp = new AbortController()
  const asked = fetch(`${address}${callPath(listProjects.id, {})}`, {
    method: 'POST',
    headers: { ...asGateway(), 'content-type': 'application/json' },
    body: '{}',
    signal: hangUp.signal,
  })
  await begun.promise
  hangUp.abort()
  await expect(asked).rejects.toThrow('aborted')
  let isClosed = false
  const closed = own.close().then(() => (isClosed = true))
  // A server without anything to wait for closes in the same moments.
  const { app: idle } = await serve()
  await idle.close()
  expect(isClosed).toBe(false)
  over.resolve()
  await closed
})
