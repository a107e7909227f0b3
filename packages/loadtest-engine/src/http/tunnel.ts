import type { Duplex } from 'node:stream'
import type { Destination } from './connect.ts'
import type { Proxy } from './proxy.ts'

const headBytesMax = 16_384

/**
 * Has a proxy pass everything on to a server from now on (RFC 9110, 9.3.6).
 * @throws Error whose message has its answer, where it does not
 */
export async function openTunnel(
  socket: Duplex,
  { host, port }: Destination,
  { destination: proxy, authorization }: Proxy,
): Promise<void> {
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const proof = authorization === null ? '' : `proxy-authorization: ${authorization}\r\n`
  socket.write(`CONNECT ${place} HTTP/1.1\r\nhost: ${place}\r\n${proof}\r\n`)
  const head = await readHead(socket)
  const [, status, text] = /^HTTP\/1\.[01] (\d{3})(?: (.*))?/.exec(head) ?? []
  if (status === undefined) throw new Error(`The proxy ${proxy.host}:${proxy.port} does not speak HTTP/1.1.`)
  if (!status.startsWith('2'))
    throw new Error(`The proxy ${proxy.host}:${proxy.port} answered ${status} ${text ?? ''}`.trimEnd())
}

/** Up to the empty line; what comes behind it is left to be read. */
async function readHead(socket: Duplex): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let received: Buffer = Buffer.alloc(0)
  const onReadable = () => {
    for (let bytes: Buffer | null = socket.read(); bytes !== null; bytes = socket.read()) {
      received = Buffer.concat([received, bytes])
      const end = received.indexOf('\r\n\r\n')
      if (end === -1 && received.length <= headBytesMax) continue
      socket.off('readable', onReadable)
      if (end === -1) return reject(new Error('The answer of the proxy has no end.'))
      if (end + 4 < received.length) socket.unshift(received.subarray(end + 4))
      return resolve(received.toString('latin1', 0, end))
    }
  }
  socket.on('readable', onReadable)
  socket.once('end', () => reject(new Error('The proxy closed the connection.')))
  return await promise
}
