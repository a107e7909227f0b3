import fastify from 'fastify'
import { expect, test } from 'vitest'
import { ListenError, listen } from './listen.ts'

test('listen() gives the URL with the port it got', async () => {
  const app = fastify()
  expect(await listen(app, { host: '127.0.0.1', port: 0 })).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
  await app.close()
})

test('listen() names a port that is taken and the setting that changes it', async () => {
  const first = fastify()
  const port = Number(new URL(await listen(first, { host: '127.0.0.1', port: 0 })).port)
  const second = fastify()
  await expect(listen(second, { host: '127.0.0.1', port })).rejects.toThrow(
    new ListenError(
      `Port ${port} on 127.0.0.1 is in use by another program. Stop that one, or choose another port with ` +
        `FLAMEGATE_PORT, for instance FLAMEGATE_PORT=${port + 1}.`,
    ),
  )
  await first.close()
  await second.close()
})

test('listen() names an address that the machine does not have', async () => {
  await expect(listen(fastify(), { host: '203.0.113.1', port: 0 })).rejects.toThrow(
    'This machine has no address 203.0.113.1.',
  )
})
