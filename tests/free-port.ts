import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port of this machine that nobody has at the moment, for programs that cannot be asked which one they took. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new TypeError('The server listened on a port')
  return address.port
}
