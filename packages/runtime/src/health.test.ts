import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { addHealth } from './health.ts'

test('/readyz is green when all checks pass, and /healthz always answers', async () => {
  const app = fastify()
  addHealth(app, { checks: { database: async () => 1, queue: async () => undefined } })
  expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok' })
  const ready = await app.inject('/readyz')
  expect(ready.statusCode).toBe(200)
  expect(ready.json()).toEqual({
    status: 'ready',
    checks: {
      database: { status: 'ok', ms: expect.any(Number) },
      queue: { status: 'ok', ms: expect.any(Number) },
    },
  })
})

test('/readyz is red and names the check that failed or hung, without its reason', async () => {
  const app = fastify()
  addHealth(app, {
    timeoutMs: 20,
    checks: {
      database: () => Promise.reject(new Error('password authentication failed')),
      queue: () => new Promise(() => {}),
    },
  })
  const ready = await app.inject('/readyz')
  expect(ready.statusCode).toBe(503)
  expect(ready.json()).toMatchObject({
    status: 'not_ready',
    checks: { database: { status: 'failed' }, queue: { status: 'timed_out' } },
  })
  expect(ready.body).not.toContain('password')
  expect((await app.inject('/healthz')).statusCode).toBe(200)
})

test('many questions at once make one check', async () => {
  const app = fastify()
  let asked = 0
  addHealth(app, {
    checks: {
      database: async () => {
        asked += 1
      },
    },
  })
  await Promise.all(Array.from({ length: 20 }, () => app.inject('/readyz')))
  expect(asked).toBe(1)
})

test('after draining, who has just connected is still answered when the server is closed', async () => {
  const app = fastify({ return503OnClosing: false })
  app.get('/thing', async () => ({}))
  const health = addHealth(app, { checks: {} })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  await health.drain(1)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('GET /thing HTTP/1.1\r\nhost: here\r\n\r\n')
  await new Promise<void>((resolve) => process.nextTick(resolve))
  const [answer] = await Promise.all([text(socket), app.close()])
  expect(answer).toContain('200 OK')
})

test('/readyz turns red as soon as draining starts; what comes meanwhile is answered, and its connection closed', async () => {
  const app = fastify()
  app.get('/thing', async () => ({}))
  const health = addHealth(app, { checks: {} })
  expect((await app.inject('/readyz')).statusCode).toBe(200)
  expect((await app.inject('/thing')).headers.connection).toBe('keep-alive')
  await health.drain(0)
  const late = await app.inject('/thing')
  expect([late.statusCode, late.headers.connection]).toEqual([200, 'close'])
  expect((await app.inject('/readyz')).json()).toEqual({ status: 'draining', checks: {} })
  expect((await app.inject('/readyz')).statusCode).toBe(503)
})
