import { once } from 'node:events'
import { connect as connectTcp, isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import type { TLSSocket } from 'node:tls'
import type { TargetGate } from '../ports.ts'
import { ConnectFailed } from './connect-failed.ts'
import type { ConnectTimings } from './connect-failed.ts'
import type { Line } from './line.ts'
import { LineSocket } from './line-socket.ts'
import { networkWords, TimedOut } from './network-words.ts'
import type { Proxy } from './proxy.ts'
import { spread } from './spread.ts'
import type { Transport } from './transport.ts'
import { openTunnel } from './tunnel.ts'

/** Where a connection leads to, as a URL names it. */
export interface Destination {
  isTls: boolean
  host: string
  port: number
}

/** How to get there. */
export interface Passage {
  gate: TargetGate
  signal: AbortSignal
  /** Null: nothing holds bytes up. */
  line: Line | null
  /** Null: straight to the server. */
  proxy: Proxy | null
  /** A proxy is told where to only once, and passes everything on; it always is over TLS. */
  needsTunnel: boolean
}

export interface OpenSocket {
  socket: Duplex
  timings: ConnectTimings
  /** Address and port, of the proxy where there is one. */
  remoteAddress: string
  isHttp2: boolean
  /** It passes requests on one by one, and has to be told where to with each; null where there is none. */
  forwarder: Proxy | null
}

export function destinationOf(url: URL): Destination {
  const isTls = url.protocol === 'https:' || url.protocol === 'wss:'
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  return { isTls, host, port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port) }
}

/**
 * Opens a connection to an address that the gate gave, so that no name is looked up between the check and the use. Through a proxy,
 * the gate has to know both: the proxy gets the name of the server, and looks it up again.
 * @throws ConnectFailed
 */
export async function openSocket(
  destination: Destination,
  transport: Transport,
  { gate, signal, line, proxy, needsTunnel }: Passage,
): Promise<OpenSocket> {
  const timings: ConnectTimings = { dnsMs: null, connectMs: null, tlsMs: null }
  const deadline = performance.now() + transport.connectTimeoutMs
  const { host, port, isTls } = destination
  let during: ConnectFailed['during'] = 'dns'
  let socket: Duplex | undefined
  try {
    const started = performance.now()
    const resolve = (to: Destination) =>
      within(gate.resolve(to.host, to.port), deadline - performance.now(), 'look up the host')
    const found = await resolve(destination)
    // Whoever names another host to the server asks for what that host has.
    if (isTls && transport.serverName !== null && transport.serverName !== host)
      await gate.resolve(transport.serverName, port)
    const addresses = proxy === null ? found : await resolve(proxy.destination)
    if (isIP(proxy?.destination.host ?? host) === 0) timings.dnsMs = performance.now() - started
    during = 'connect'
    const connecting = performance.now()
    const first = (proxy?.destination ?? destination).port
    const turn = Math.floor(Math.random() * addresses.length)
    const reached = await connectToFirst(spread(addresses, turn), first, line, deadline, signal)
    const { remoteAddress } = reached
    socket = reached.socket
    if (proxy?.destination.isTls === true)
      socket = await encrypt(socket, proxy.destination.host, toProxy, deadline, signal)
    const isTunnelled = proxy !== null && (isTls || needsTunnel)
    if (isTunnelled) await opened(socket, openTunnel(socket, destination, proxy), deadline, signal)
    timings.connectMs = performance.now() - connecting
    const forwarder = isTunnelled ? null : proxy
    if (!isTls) return { socket, timings, remoteAddress, isHttp2: transport.isHttp2, forwarder }
    during = 'tls'
    const encrypting = performance.now()
    const secure = await encrypt(socket, host, transport, deadline, signal)
    timings.tlsMs = performance.now() - encrypting
    return { socket: secure, timings, remoteAddress, isHttp2: secure.alpnProtocol === 'h2', forwarder }
  } catch (error) {
    socket?.destroy()
    throw new ConnectFailed(networkWords(error, `${host}:${port}`), timings, during, error)
  }
}

const toProxy = {
  serverName: null,
  minVersion: 'TLSv1.2',
  verifiesCertificates: true,
  isHttp2: false,
} as const

async function connectToFirst(
  addresses: readonly { address: string }[],
  port: number,
  line: Line | null,
  deadline: number,
  signal: AbortSignal,
): Promise<{ socket: Duplex; remoteAddress: string }> {
  let failure: unknown = new Error('The host has no address.')
  for (const [index, { address }] of addresses.entries()) {
    // A share for each of those that are left, so that one that never answers does not keep us from the next.
    const now = performance.now()
    const share = now + (deadline - now) / (addresses.length - index)
    const tcp = connectTcp({ host: address, port, noDelay: true, keepAlive: true })
    const socket = line === null ? tcp : new LineSocket(tcp, line)
    try {
      await opened(socket, once(socket, 'connect'), share, signal)
      return {
        socket,
        remoteAddress: `${tcp.remoteFamily === 'IPv6' ? `[${tcp.remoteAddress}]` : tcp.remoteAddress}:${port}`,
      }
    } catch (error) {
      failure = error
      if (signal.aborted) break
    }
  }
  throw failure
}

async function encrypt(
  plain: Duplex,
  host: string,
  transport: Pick<Transport, 'serverName' | 'minVersion' | 'verifiesCertificates' | 'isHttp2'>,
  deadline: number,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const name = transport.serverName ?? host
  const socket = connectTls({
    socket: plain,
    // Certificates are held against this name, also where it is an address and cannot be sent as SNI.
    host: name,
    ...(isIP(name) === 0 ? { servername: name } : {}),
    minVersion: transport.minVersion,
    rejectUnauthorized: transport.verifiesCertificates,
    ALPNProtocols: transport.isHttp2 ? ['h2', 'http/1.1'] : ['http/1.1'],
  })
  await opened(socket, once(socket, 'secureConnect'), deadline, signal)
  return socket
}

/** Resolves when it is ready; whatever else happens ends the socket. */
async function opened(
  socket: Duplex,
  ready: Promise<unknown>,
  deadline: number,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onAbort = () => reject(signal.reason)
  const leftMs = Math.max(0, deadline - performance.now())
  const timer = setTimeout(() => reject(new TimedOut('open a connection')), leftMs)
  signal.addEventListener('abort', onAbort, { once: true })
  ready.then(() => resolve(), reject)
  socket.once('close', () => reject(new Error('The connection was closed at once.')))
  // Stays, because a socket that nobody listens to would end the process.
  socket.on('error', reject)
  if (signal.aborted) onAbort()
  try {
    await promise
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

async function within<Result>(promise: Promise<Result>, timeoutMs: number, what: string): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new TimedOut(what)), timeoutMs)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
