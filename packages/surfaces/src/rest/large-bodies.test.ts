import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { operations, type Principal } from '@flamegate/contract'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { largeBodies } from './large-bodies.ts'
import { problemHandler } from './problem-reply.ts'

// What is wrong with a body may come out when nobody reads it any more. An error of a stream that nobody hears ends the process:
// here Vitest tells of it, and fails.

const principal: Principal = {
  userId: 'usr_1',
  via: 'session',
  clientId: 'web',
  clientName: 'Web',
  scopes: [],
}
const operation = operations.uploadMcpReport

let app: FastifyInstance
let port = 0

beforeAll(async () => {
  app = fastify()
  app.setErrorHandler(problemHandler('/docs'))
  // Answers go out when they can: until then the rest of the body is unpacked.
  app.addHook('onSend', () => sleep(50))
  app.post('/', largeBodies(async () => principal).optionsOf(operation), async ({ body }) => ({ got: body }))
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
})

afterAll(() => app.close())

/** The status line of the answer. Hangs up with it. */
async function send(type: string, body: Buffer, announcedBytes = body.length): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\ncontent-encoding: gzip\r\ncontent-length: ${announcedBytes}\r\n\r\n`,
  )
  socket.write(body)
  const [answer]: unknown[] = await once(socket, 'data')
  socket.destroy()
  return String(answer).split('\r\n')[0] ?? ''
}

const json = 'application/json'
const bomb = gzipSync(Buffer.alloc((operation.bodyBytesMax ?? 0) + 1_000_000, 0x20))

test('what is packed is read', async () => {
  expect(await send(json, gzipSync('{"a":1}'))).toBe('HTTP/1.1 200 OK')
})

test.each([
  ['what is no gzip', json, Buffer.from('no gzip'), 7, 400],
  ['what is no gzip, of a type that is not read', 'application/xml', Buffer.from('no gzip'), 7, 415],
  ['what is no gzip, and too long', json, Buffer.from('no gzip'), 2 ** 30, 413],
  [
    'what is cut off, of a type that is not read',
    'application/xml',
    gzipSync('{"a":1}').subarray(0, 9),
    500,
    415,
  ],
  ['a bomb', json, bomb, bomb.length, 413],
  ['a bomb, and then no gzip', json, Buffer.concat([bomb, Buffer.from('no gzip')]), bomb.length + 7, 413],
  ['a bomb that is cut off', json, bomb.subarray(0, -4), bomb.length, 413],
])('%s is refused', async (_name, type, body, announcedBytes, status) => {
  expect(await send(type, body, announcedBytes)).toContain(`HTTP/1.1 ${status} `)
  // Time for what the connection's end brings.
  expect(await send(json, gzipSync('{"a":1}'))).toBe('HTTP/1.1 200 OK')
})
