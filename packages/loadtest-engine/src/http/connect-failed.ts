/** Null where it did not happen. */
export interface ConnectTimings {
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
}

/** No connection came about. The message says why; the timings tell how far it got. */
export class ConnectFailed extends Error {
  readonly timings: ConnectTimings
  readonly during: 'dns' | 'connect' | 'tls'

  constructor(message: string, timings: ConnectTimings, during: 'dns' | 'connect' | 'tls', cause: unknown) {
    super(message, { cause })
    this.timings = timings
    this.during = during
  }
}
