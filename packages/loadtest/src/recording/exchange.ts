/**
 * One request and what came back, as a browser recorded it or a validation sent it. Both are kept in the same form, so that they
 * can be laid side by side.
 */
export interface Exchange {
  /** UTC, ISO 8601. */
  startedAt: string
  request: ExchangeRequest
  /** Null where no answer came. */
  response: ExchangeResponse | null
  /** Why no answer came; or null. */
  error: string | null
  timings: ExchangeTimings
  /** Address and port that answered, where it is known. */
  remoteAddress: string | null
}

export interface ExchangeRequest {
  method: string
  /** Whole, with query, without fragment. */
  url: string
  httpVersion: string | null
  headers: readonly ExchangeHeader[]
  body: ExchangeBody | null
}

export interface ExchangeResponse {
  status: number
  statusText: string
  httpVersion: string | null
  headers: readonly ExchangeHeader[]
  body: ExchangeBody | null
}

export interface ExchangeHeader {
  name: string
  value: string
}

/** Decoded: what was compressed or came in chunks is not so here. */
export interface ExchangeBody {
  contentType: string | null
  /** Size of the whole decoded body, in bytes, also where less of it is kept. */
  sizeBytes: number
  /** As it went over the network; null where that is not known. */
  transferredBytes: number | null
  /** What is kept of it: text, or base64 of what is no text; null where nothing was kept. */
  content: string | null
  encoding: 'text' | 'base64'
  isCut: boolean
}

/** In milliseconds; null where it did not happen or is not known. They come one after the other. */
export interface ExchangeTimings {
  blockedMs: number | null
  dnsMs: number | null
  /** Without TLS. */
  connectMs: number | null
  tlsMs: number | null
  sendMs: number | null
  /** From the last byte sent to the first that came. */
  firstByteMs: number | null
  downloadMs: number | null
  totalMs: number
}
