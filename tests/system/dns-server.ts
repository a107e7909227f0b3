import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** A name server of tests: it knows TXT records, and nothing else. */
export interface DnsServer {
  /** By name. */
  records: Map<string, string>
  close(): void
}

/** https://www.rfc-editor.org/rfc/rfc1035#section-4 */
export async function startDnsServer(port: number): Promise<DnsServer> {
  const records = new Map<string, string>()
  const socket = createSocket('udp4')
  socket.on('message', (query, { port: askedFrom, address }) => {
    const end = query.indexOf(0, 12) + 5
    const name = nameAt(query)
    const text = query.readUInt16BE(end - 4) === 16 ? records.get(name) : undefined
    const header = Buffer.from(query.subarray(0, 12))
    // An answer, which was found or not (NXDOMAIN): one question, at most one answer.
    header.writeUInt16BE(text === undefined ? 0x8183 : 0x8180, 2)
    for (const [place, count] of [1, text === undefined ? 0 : 1, 0, 0].entries())
      header.writeUInt16BE(count, 4 + 2 * place)
    const question = query.subarray(12, end)
    const answer = text === undefined ? Buffer.alloc(0) : txt(text)
    socket.send(Buffer.concat([header, question, answer]), askedFrom, address)
  })
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  return { records, close: () => socket.close() }
}

/** A record of the name that was asked for, good for no time at all. */
function txt(text: string): Buffer {
  const bytes = Buffer.from(text)
  const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0, bytes.length + 1, bytes.length])
  return Buffer.concat([head, bytes])
}

function nameAt(query: Buffer): string {
  const labels: string[] = []
  for (let at = 12, length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return labels.join('.').toLowerCase()
}
