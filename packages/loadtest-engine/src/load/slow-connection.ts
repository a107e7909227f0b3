import { connect as connectTcp } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import type { Line } from '../http/line.ts'
import { LineSocket } from '../http/line-socket.ts'
import { LoadConnection } from './load-connection.ts'
import type { ConnectionCount, ConnectionUser } from './load-connection.ts'
import type { Origin } from './origin.ts'
import type { TimerWheel } from './timer-wheel.ts'

/** One over the line of its user. */
export class SlowConnection extends LoadConnection {
  readonly #line: Line

  constructor(origin: Origin, user: ConnectionUser, wheel: TimerWheel, count: ConnectionCount, line: Line) {
    super(origin, user, wheel, count)
    this.#line = line
  }

  protected override dial(host: string): void {
    const { origin } = this
    const tcp = connectTcp({ host, port: origin.port, noDelay: true, keepAlive: true })
    const socket = new LineSocket(tcp, this.#line)
    this.follow(socket)
    socket.once('connect', () => {
      if (origin.isTls) this.#encrypt(socket)
      else this.#listen(socket)
      this.connected()
    })
  }

  protected override transmit(socket: Duplex, text: string): void {
    socket.write(text, 'latin1')
  }

  #encrypt(line: LineSocket): void {
    const socket = connectTls({ socket: line, ...this.origin.tlsOptions })
    this.follow(socket)
    this.#listen(socket)
    socket.once('secureConnect', () => this.encrypted())
  }

  #listen(socket: Duplex): void {
    socket.on('data', (bytes: Buffer) => this.received(bytes))
  }
}
