import { request } from 'node:http'
import { createServer } from 'node:https'
import type { Certificate } from '../clients/certificate.ts'
import { playedAddress } from '../clients/offline.ts'

/** Https in front of a platform, at the address of the internet that our own network plays. */
export async function openHttpsFront(
  { key, cert }: Certificate,
  platformOrigin: string,
): Promise<{ close(): Promise<void> }> {
  const { hostname, port } = new URL(platformOrigin)
  const server = createServer({ key, cert }, (incoming, answer) => {
    const { method, url: path, headers } = incoming
    const onward = request({ hostname, port, method, path, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    onward.once('error', () => answer.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(443, playedAddress, done)
  })
  return {
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
