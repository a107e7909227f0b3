import type { McpErrorKind } from '@flamegate/mcp-profiling'

/** Why a call failed. */
export interface CallFailure {
  kind: McpErrorKind
  /** JSON-RPC code or HTTP status. */
  code: number | null
  message: string
}

/** One call and what came of it. Moments are those of performance.now(). */
export interface WireAnswer {
  sentAtMs: number
  /** The whole answer was there; when there was none, when that was known. */
  endedAtMs: number
  /** The first bytes of an answer that is a stream of events; null of others. */
  firstEventAtMs: number | null
  /** That the server itself tells. */
  serverTimeMs: number | null
  requestBytes: number
  /** Of the JSON-RPC message, not of what carries it. */
  resultBytes: number
  /** Of the protocol; undefined when the call failed before it. */
  result: unknown
  failure: CallFailure | null
}

/** A request that is ready to be sent again and again, but for its id. Each wire has its own kind. */
export interface PreparedRequest {
  /** Between these is the id. */
  prefix: string
  suffix: string
  /** UTF-8, without the id. */
  bytes: number
  /** What goes before it; empty where nothing does. */
  head: string
}

/**
 * The way to a server whose session is open, with as little between the call and its measure as can be. Calls never reject:
 * what goes wrong is an answer too.
 */
export interface McpWire {
  prepare: (method: string, params: Readonly<Record<string, unknown>> | undefined) => PreparedRequest
  call: (request: PreparedRequest, trace?: CallTrace) => Promise<WireAnswer>
  /** Opens as many connections ahead, so that opening them is in no call; nothing where there is only one. */
  open: (connections: number) => Promise<void>
  /** Ends what is under way; over standard streams, the server too. */
  close: () => Promise<void> | void
}

/** Further moments of one call, taken down as it goes its way; null until they come, and where they cannot be told. */
export interface CallTrace {
  /** The system had taken the whole request, over a connection that may have had to be opened. */
  writtenAtMs: number | null
  firstByteAtMs: number | null
}

export function newTrace(): CallTrace {
  return { writtenAtMs: null, firstByteAtMs: null }
}

/** What a session adds to every request. */
export interface RequestAddition {
  /** Goes into `params._meta`; null where nothing does. */
  meta: Readonly<Record<string, unknown>> | null
}

/** Ids of our own begin here, so that those of the SDK, which count from 0, are told apart. */
export const firstId = 1_000_000_000

export function preparedMessage(
  method: string,
  params: Readonly<Record<string, unknown>> | undefined,
  { meta }: RequestAddition,
): Omit<PreparedRequest, 'head'> {
  const whole = meta === null ? params : { ...params, _meta: meta }
  const prefix = '{"jsonrpc":"2.0","id":'
  const suffix = `,"method":${JSON.stringify(method)}${whole === undefined ? '' : `,"params":${JSON.stringify(whole)}`}}`
  return { prefix, suffix, bytes: prefix.length + Buffer.byteLength(suffix) }
}
