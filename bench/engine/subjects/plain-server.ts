// The target where nginx is not installed: `plain-server.ts <folder with key and certificate> <http port> <https port>`. With
// `--stall <ms>`, it answers nothing for so long, once, from its 4,000th answer on, and tells when that was.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import path from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { body } from '../target.ts'

const [folder = '', http = '', https = '', , stall] = process.argv.slice(2)
const stallMs = Number(stall ?? 0)
const stallAfter = 4000
const answer = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`
let answered = 0
let stalledUntil = 0

createServer(serve).listen(Number(http), '127.0.0.1', 16_384)
if (https !== '' && https !== '0') {
  const key = readFileSync(path.join(folder, 'key.pem'))
  const cert = readFileSync(path.join(folder, 'cert.pem'))
  createTlsServer({ key, cert, minVersion: 'TLSv1.3' }, serve).listen(Number(https), '127.0.0.1', 16_384)
}

function serve(socket: Socket): void {
  socket.setNoDelay(true)
  let rest = ''
  socket.on('error', () => socket.destroy())
  socket.on('data', (bytes: Buffer) => {
    rest += bytes.toString('latin1')
    for (let end = rest.indexOf('\r\n\r\n'); end !== -1; end = rest.indexOf('\r\n\r\n')) {
      reply(socket, rest.slice(0, end))
      rest = rest.slice(end + 4)
    }
  })
}

function reply(socket: Socket, request: string): void {
  answered++
  if (request.startsWith('GET /status ')) {
    // As nginx tells it.
    const text = `server accepts handled requests\n 1 1 ${answered} \n`
    socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${text.length}\r\n\r\n${text}`)
    return
  }
  const cookie = request.startsWith('GET /login ') ? 'set-cookie: sid=s-4711; Path=/; HttpOnly\r\n' : ''
  const text = `${answer}${cookie}\r\n${body}`
  if (stallMs > 0 && answered === stallAfter) {
    stalledUntil = Date.now() + stallMs
    console.log(JSON.stringify({ from: Date.now(), until: stalledUntil }))
  }
  const wait = stalledUntil - Date.now()
  if (wait > 0) setTimeout(() => socket.write(text), wait)
  else socket.write(text)
}
