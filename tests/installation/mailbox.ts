import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** A mail server (RFC 5321) that takes every mail and keeps it. */
export interface Mailbox {
  url: string
  /** The links to `path` in the mails to that address so far, oldest first. */
  links(address: string, path: string): string[]
  /** The mails to that address so far with their headers, oldest first. */
  letters(address: string): string[]
  close(): void
}

interface Mail {
  to: string
  text: string
}

export async function openMailbox(): Promise<Mailbox> {
  const mails: Mail[] = []
  const server = createServer((socket) => converse(socket, (mail) => mails.push(mail)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    links: (to, path) =>
      mails
        .filter((mail) => mail.to === to)
        .flatMap(({ text }) => text.split(/\s+/))
        .filter((word) => word.includes(`${path}?`)),
    letters: (to) => mails.filter((mail) => mail.to === to).map(({ text }) => text),
    close: () => server.close(),
  }
}

function converse(socket: Socket, keep: (mail: Mail) => void): void {
  let rest = ''
  let to = ''
  let text: string[] | undefined

  function hear(line: string): string | undefined {
    if (text !== undefined) {
      if (line !== '.') {
        text.push(line.replace(/^\./, ''))
        return undefined
      }
      // Long lines come in pieces that end with `=`, and `=3D` is `=`: RFC 2045, 6.7.
      const whole = text.join('\n')
      const isEncoded = /^content-transfer-encoding: quoted-printable$/im.test(whole)
      keep({ to, text: isEncoded ? whole.replaceAll('=\n', '').replaceAll('=3D', '=') : whole })
      text = undefined
      return '250 kept'
    }
    to = /^RCPT TO:<(.*)>/i.exec(line)?.[1] ?? to
    if (/^DATA/i.test(line)) {
      text = []
      return '354 go on'
    }
    return /^QUIT/i.test(line) ? '221 bye' : '250 fine'
  }

  socket.on('error', () => socket.destroy())
  socket.write('220 mailbox\r\n')
  socket.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const answer = hear(line)
      if (answer !== undefined) socket.write(`${answer}\r\n`)
    }
  })
}
