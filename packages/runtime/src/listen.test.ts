import { createServer } from 'node:net'
import { once } from 'node:events'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { listen } from './listen.ts'
import { isForOperator } from './or-exit.ts'

async function refusalAt(host: string, port: number): Promise<unknown> {
  const app = fastify()
  try {
    await listen(app, { FLAMEGATE_HOST: host, FLAMEGATE_PORT: port })
    return undefined
  } catch (error) {
    return isForOperator(error) ? error.message : error
  } finally {
    await app.close()
  }
}

test('a port that another program has is told by its setting, with another one to take', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  expect(await refusalAt('127.0.0.1', port)).toBe(
    `A setting is not right:\n  FLAMEGATE_PORT is ${port}. Another program listens there, on 127.0.0.1. Set it to a port that is free, such as ${port + 1}, or to 0 for any.`,
  )
  other.close()
  await once(other, 'close')
  expect(await refusalAt('127.0.0.1', port)).toBeUndefined()
})

test.each(['192.0.2.1', 'no.such.host.invalid'])(
  'the host %s, which is no address of ours, is told by its setting',
  async (host) => {
    expect(await refusalAt(host, 0)).toBe(
      `A setting is not right:\n  FLAMEGATE_HOST is "${host}". It is no address of this machine. Set it to one that is, or to 0.0.0.0 for all.`,
    )
  },
)
