import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { loopbackGate } from '../testing/run.ts'
import { startFilteringProxy } from './filtering-proxy.ts'

test('a server is told the host that was let through, and no other', async () => {
  const hosts: (string | undefined)[] = []
  const server = createServer((incoming, outgoing) => {
    hosts.push(incoming.headers.host)
    outgoing.end('x')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  const { port } = server.address() as AddressInfo
  const proxy = await startFilteringProxy(loopbackGate)
  const asked = request(proxy.url, {
    path: `http://127.0.0.1:${port}/`,
    headers: { host: 'internal.example.com' },
  }).end()
  const [answer] = await once(asked, 'response')
  answer.resume()
  await once(answer, 'end')
  expect(hosts).toEqual([`127.0.0.1:${port}`])
  await proxy.stop()
  server.close()
})
