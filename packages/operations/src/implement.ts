import type { Caller, InputOf, Operation, OutputOf, Principal } from '@flamegate/contract'
import type { JobQueue, ObjectStorage, Stores } from './ports/index.ts'

/** What operations are built on; made once at start. */
export interface Deps {
  stores: Stores
  queue: JobQueue
  storage: ObjectStorage
  /** Where people reach the web UI, without a trailing slash. */
  publicUrl: string
  serverName: string
  /** A new random secret and its hex SHA-256, with a prefix that scanners know. */
  newSecret: () => { secret: string; hash: string }
}

/** What a handler knows beside its input. */
export interface CallContext {
  caller: Caller
  principal: Principal
  deps: Deps
  operation: Operation
  requestId: string
  /** Tells the audit log which workspace and thing the call is about. */
  concerns: (workspaceId: string, targetId: string) => void
}

export type Handler<O> = (input: InputOf<O>, context: CallContext) => Promise<OutputOf<O>>

/** An operation with its handler; types are kept by `implement` and forgotten here, so that all fit in one list. */
export interface Implementation {
  operation: Operation
  handle(input: Record<string, unknown>, context: CallContext): Promise<Record<string, unknown>>
}

/** `implement(definition)(handler)`: the handler is the happy path and the refusals, nothing else. */
export function implement<O extends Operation>(operation: O) {
  return (handler: Handler<O>): Implementation => ({ operation, handle: handler })
}
