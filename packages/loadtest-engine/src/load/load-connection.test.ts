import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { usualAccess } from '../http/access.ts'
import { usualTransport } from '../http/transport.ts'
import type { TargetGate } from '../ports.ts'
import { portOf } from '../testing/test-server.ts'
import { LoadConnection } from './load-connection.ts'
import { Origin } from './origin.ts'
import { TimerWheel } from './timer-wheel.ts'

const sockets: Socket[] = []
let server: Server
beforeAll(async () => {
  server = createServer((socket) => void sockets.push(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

const gateTo = (...addresses: string[]): TargetGate => ({
  resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
})

/** Nobody is there, and nothing says so. */
const silent = '100::1'

class Dialling extends LoadConnection {
  readonly dialled: string[] = []

  protected override dial(host: string): void {
    this.dialled.push(host)
    if (host === silent) this.follow(new Duplex())
    else super.dial(host)
  }
}

/** Connects, and gives what came of it. */
async function opened(
  gate: TargetGate,
  connectTimeoutMs: number,
): Promise<{ dialled: string[]; error: unknown }> {
  const wheel = new TimerWheel()
  const transport = { ...usualTransport(usualAccess), connectTimeoutMs }
  const origin = new Origin(new URL(`http://shop.example:${portOf(server)}/`), transport, gate)
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const connection = new Dialling(
    origin,
    {
      onOpen: () => resolve(null),
      wantsBody: () => false,
      onAnswer: () => {},
      onFailure: (_connection, error) => resolve(error),
    },
    wheel,
    { connections: 0 },
  )
  connection.open(performance.now())
  const error = await promise
  connection.close()
  wheel.stop()
  return { dialled: connection.dialled, error }
}

test('an address that does not answer is passed over while there is time for the next one', async () => {
  const { dialled, error } = await opened(gateTo(silent, '127.0.0.1'), 2000)
  expect(error).toBeNull()
  expect(dialled).toEqual([silent, '127.0.0.1'])
})

test('when none answers, that is told', async () => {
  const { dialled, error } = await opened(gateTo(silent), 30)
  expect(dialled).toEqual([silent])
  expect(String(error)).toContain('open a connection')
})

test('connections go to the addresses of a name in turn, by family', async () => {
  const gate = gateTo('::1', '::2', '10.0.0.1', '10.0.0.2', '10.0.0.3')
  const origin = new Origin(new URL('http://shop.example/'), usualTransport(usualAccess), gate)
  const all = [await origin.resolve()]
  for (let count = 1; count < 6; count++) all.push(origin.addressesAt(performance.now()) ?? [])
  expect(all.map((addresses) => addresses.map((each) => each.includes(':')))).toEqual(
    all.map(() => [true, true, false, false, false]),
  )
  const timesFirst = (place: number) =>
    Object.values(Object.groupBy(all, (addresses) => addresses[place] ?? '')).map((each) => each?.length)
  expect(timesFirst(0)).toEqual([3, 3])
  expect(timesFirst(2)).toEqual([2, 2, 2])
})
