import { connect as connectTcp, isIP } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { TLSSocket } from 'node:tls'
import type { TargetGate } from '../ports.ts'
import { ConnectFailed } from './connect-failed.ts'
import type { ConnectTimings } from './connect-failed.ts'
import { networkWords, TimedOut } from './network-words.ts'
import type { Transport } from './transport.ts'

/** Where a connection leads to, as a URL names it. */
export interface Destination {
  isTls: boolean
  host: string
  port: number
}

export interface OpenSocket {
  socket: Socket | TLSSocket
  timings: ConnectTimings
  /** Address and port. */
  remoteAddress: string
  isHttp2: boolean
}

export function destinationOf(url: URL): Destination {
  const isTls = url.protocol === 'https:' || url.protocol === 'wss:'
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  return { isTls, host, port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port) }
}

/**
 * Opens a connection to an address that the gate gave, so that no name is looked up between the check and the use.
 * @throws ConnectFailed
 */
export async function openSocket(
  destination: Destination,
  transport: Transport,
  gate: TargetGate,
  signal: AbortSignal,
): Promise<OpenSocket> {
  const timings: ConnectTimings = { dnsMs: null, connectMs: null, tlsMs: null }
  const deadline = performance.now() + transport.connectTimeoutMs
  const { host, port, isTls } = destination
  let during: ConnectFailed['during'] = 'dns'
  try {
    const started = performance.now()
    const addresses = await within(gate.resolve(host, port), transport.connectTimeoutMs, 'look up the host')
    // Whoever names another host to the server asks for what that host has.
    if (isTls && transport.serverName !== null && transport.serverName !== host)
      await gate.resolve(transport.serverName, port)
    if (isIP(host) === 0) timings.dnsMs = performance.now() - started
    during = 'connect'
    const plain = await connectToFirst(addresses, port, deadline, signal, timings)
    const remoteAddress = `${plain.remoteFamily === 'IPv6' ? `[${plain.remoteAddress}]` : plain.remoteAddress}:${port}`
    if (!isTls) return { socket: plain, timings, remoteAddress, isHttp2: transport.isHttp2 }
    during = 'tls'
    const socket = await encrypt(plain, host, transport, deadline, signal, timings)
    return { socket, timings, remoteAddress, isHttp2: socket.alpnProtocol === 'h2' }
  } catch (error) {
    throw new ConnectFailed(networkWords(error, `${host}:${port}`), timings, during, error)
  }
}

async function connectToFirst(
  addresses: readonly { address: string }[],
  port: number,
  deadline: number,
  signal: AbortSignal,
  timings: ConnectTimings,
): Promise<Socket> {
  const started = performance.now()
  let failure: unknown = new Error('The host has no address.')
  for (const [index, { address }] of addresses.entries()) {
    // A share for each of those that are left, so that one that never answers does not keep us from the next.
    const share = (deadline - performance.now()) / (addresses.length - index)
    const socket = connectTcp({ host: address, port, noDelay: true, keepAlive: true })
    try {
      await opened(socket, 'connect', share, signal)
      timings.connectMs = performance.now() - started
      return socket
    } catch (error) {
      failure = error
      if (signal.aborted) break
    }
  }
  throw failure
}

async function encrypt(
  plain: Socket,
  host: string,
  transport: Transport,
  deadline: number,
  signal: AbortSignal,
  timings: ConnectTimings,
): Promise<TLSSocket> {
  const started = performance.now()
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
  await opened(socket, 'secureConnect', deadline - performance.now(), signal)
  timings.tlsMs = performance.now() - started
  return socket
}

/** Resolves with the event; whatever else happens ends the socket. */
async function opened(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onAbort = () => reject(signal.reason)
  const timer = setTimeout(() => reject(new TimedOut('open a connection')), Math.max(0, timeoutMs))
  signal.addEventListener('abort', onAbort, { once: true })
  socket.once(event, resolve).once('close', () => reject(new Error('The connection was closed at once.')))
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
