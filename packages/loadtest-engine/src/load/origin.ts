import { isIP } from 'node:net'
import { checkServerIdentity, createSecureContext } from 'node:tls'
import type { ConnectionOptions } from 'node:tls'
import { destinationOf } from '../http/connect.ts'
import { spread } from '../http/spread.ts'
import type { Transport } from '../http/transport.ts'
import type { TargetGate } from '../ports.ts'

/** An address that the gate gave is connected to for so long, in milliseconds; then it is asked again. */
const addressesMsMax = 5000

/** Where connections lead to, the same for all users. */
export class Origin {
  /** `http://host:port`, as URLs have it. */
  readonly name: string
  /** As the header `host` has it. */
  readonly authority: string
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  readonly transport: Transport
  /** Milliseconds that the last look-up of the name took; 0 for an address. */
  lookupMs = 0
  readonly #gate: TargetGate
  #addresses: readonly { address: string; family: 4 | 6 }[] = []
  /** Of connections; other threads and profiles begin at other addresses. */
  #turn = Math.floor(Math.random() * 1000)
  #resolvedAt = -Infinity
  #resolving: Promise<void> | undefined
  #tlsOptions: ConnectionOptions | undefined

  constructor(url: URL, transport: Transport, gate: TargetGate) {
    const { host, port, isTls } = destinationOf(url)
    this.name = url.origin
    this.authority = url.host
    this.host = host
    this.port = port
    this.isTls = isTls
    this.transport = transport
    this.#gate = gate
  }

  /** Addresses for one connection, the first to be tried first; undefined where the gate has to be asked. */
  addressesAt(now: number): readonly string[] | undefined {
    return now - this.#resolvedAt < addressesMsMax ? this.#next() : undefined
  }

  /** Asks the gate: once for all who wait. Rejects with why nobody may go there, or why the name is not known. */
  async resolve(): Promise<readonly string[]> {
    this.#resolving ??= this.#askGate().finally(() => {
      this.#resolving = undefined
    })
    await this.#resolving
    return this.#next()
  }

  #next(): readonly string[] {
    return spread(this.#addresses, this.#turn++).map(({ address }) => address)
  }

  /** One for all users: its context takes a millisecond to make, and holds the certificates of all authorities. */
  get tlsOptions(): ConnectionOptions {
    const { serverName, verifiesCertificates, minVersion } = this.transport
    const name = serverName ?? this.host
    return (this.#tlsOptions ??= {
      secureContext: createSecureContext({ minVersion }),
      rejectUnauthorized: verifiesCertificates,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(name) === 0 ? { servername: name } : {}),
      // The address is what is connected to, the name what the certificate is for.
      checkServerIdentity: (_host, certificate) => checkServerIdentity(name, certificate),
    })
  }

  async #askGate(): Promise<void> {
    const { host, port, transport, isTls } = this
    const started = performance.now()
    const found = await this.#gate.resolve(host, port)
    // Whoever names another host to the server asks for what that host has.
    if (isTls && transport.serverName !== null && transport.serverName !== host)
      await this.#gate.resolve(transport.serverName, port)
    const now = performance.now()
    this.lookupMs = isIP(host) === 0 ? now - started : 0
    this.#resolvedAt = now
    this.#addresses = found
  }
}

/** The origins of a load, by name and by how they are connected to. */
export class Origins {
  readonly #origins = new Map<Transport, Map<string, Origin>>()
  readonly #gate: TargetGate

  constructor(gate: TargetGate) {
    this.#gate = gate
  }

  of(url: URL, transport: Transport): Origin {
    let byName = this.#origins.get(transport)
    if (byName === undefined) this.#origins.set(transport, (byName = new Map()))
    let origin = byName.get(url.origin)
    if (origin === undefined) byName.set(url.origin, (origin = new Origin(url, transport, this.#gate)))
    return origin
  }
}
