// The least that a client in Node.js can do: sockets without their streams, one text again and again, and of what comes only the
// bytes counted. What our engine takes beside it is ours; the rest is that of Node.js and of the kernel.
//   `bare-socket.ts <url> <connections> <warm-up requests> <seconds>`
import { connect } from 'node:net'
import { readFromSocket, writeToSocket } from '../../../packages/loadtest-engine/src/load/raw-socket.ts'
import { cpuSecondsSince, tellFigures } from './figures.ts'

const [url = '', connections = '', warmUp = '', seconds = ''] = process.argv.slice(2)
const { hostname, port, pathname } = new URL(url)
const text = `GET ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`
const memory = Buffer.alloc(65_536)
/** Of one answer: all of them are alike. */
let answerBytes = 0
let answered = 0
let isOver = false
let before: { cpu: NodeJS.CpuUsage; answered: number } | undefined

for (let count = Number(connections); count > 0; count--) {
  const read = (length: number) => {
    answerBytes ||= length
    if (length !== answerBytes) throw new Error('An answer came in pieces, or another one.')
    if (++answered === Number(warmUp)) {
      before = { cpu: process.cpuUsage(), answered }
      setTimeout(end, Number(seconds) * 1000)
    }
    if (!isOver) writeToSocket(socket, text)
  }
  const onread = { buffer: memory, callback: (length: number) => (read(length), true) }
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread })
  socket.on('connect', () => {
    readFromSocket(socket, read)
    writeToSocket(socket, text)
  })
}

function end(): void {
  if (before === undefined) return
  const requests = answered - before.answered
  const cpuSeconds = cpuSecondsSince(before.cpu)
  isOver = true
  // What is under way is answered, so that both sides count the same.
  setTimeout(() => {
    tellFigures({ requests, cpuSeconds, answered, failed: 0, p50Ms: null, p99Ms: null })
    process.exit(0)
  }, 500)
}
