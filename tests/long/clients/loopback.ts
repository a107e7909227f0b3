import type { Server } from 'node:net'

/** Listens on a free port of this machine, which it gives. */
export function listenOnLoopback(server: Server): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      done(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}
