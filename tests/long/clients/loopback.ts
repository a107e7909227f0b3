import { createServer, type Server } from 'node:net'

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

/** A port that nobody has at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listenOnLoopback(server)
  await new Promise((done) => server.close(done))
  return port
}
