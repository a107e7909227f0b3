import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { closeGently } from './close-gently.ts'

test('who has connected, and was not yet taken, is answered; who comes later is refused', async () => {
  const server = createServer((_request, response) => response.setHeader('connection', 'close').end('done'))
  closeGently(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('It listens on a port')
  const open = () => connect(address.port, '127.0.0.1')
  const sockets = Array.from({ length: 5 }, open)
  for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n')
  // The kernel has them connected; the loop has not come round.
  await new Promise<void>((resolve) => process.nextTick(resolve))
  const closed = new Promise((done) => server.close(done))
  const answers = await Promise.all(sockets.map((socket) => text(socket)))
  expect(answers.map((answer) => answer.split('\r\n')[0])).toEqual(sockets.map(() => 'HTTP/1.1 200 OK'))
  await closed
  const [error]: unknown[] = await once(open(), 'error')
  expect(error).toMatchObject({ code: 'ECONNREFUSED' })
})
