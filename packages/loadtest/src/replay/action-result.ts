import type { Exchange } from '../recording/exchange.ts'

/**
 * What happened to one action, in the order in which they ended. One with others inside it fails when one of them did. A disabled
 * one is told once, as skipped; what is inside it is not.
 */
export interface ActionResult {
  /** Counted from 0 in the run. */
  sequence: number
  iteration: number
  actionId: string
  type: string
  name: string
  /** Ids of the actions around it, from the outermost. */
  path: readonly string[]
  outcome: 'passed' | 'failed' | 'skipped'
  startedAt: string
  durationMs: number
  status: number | null
  sentBytes: number
  receivedBytes: number
  assertions: readonly { id: string; outcome: 'passed' | 'failed'; message: string }[]
  extractors: readonly {
    id: string
    variable: string
    outcome: 'found' | 'default' | 'missing'
    value: string | null
  }[]
  /** What it set, secrets redacted. */
  variables: Readonly<Record<string, string>>
  /** Why it failed, in words; null where it did not. */
  failure: string | null
  /** What else is to be told: why it was skipped, lines of `console.log`, messages of a WebSocket. */
  messages: readonly string[]
  /** All that it caused, redirects and embedded resources included; the last of the main request is the first. */
  exchanges: readonly ReplayedExchange[]
  /** PNG, of `page` actions. */
  screenshot: Uint8Array | null
  /** ZIP for Playwright's trace viewer, of `page` actions. */
  trace: Uint8Array | null
}

export interface ReplayedExchange {
  /** challenge: answered 401, and asked again with what it wanted. */
  role: 'main' | 'redirect' | 'challenge' | 'resource'
  /** Id of the embedded resource in the document, where it is listed there. */
  resourceId: string | null
  /** Answered by the cache of the user: nothing was sent. */
  isFromCache: boolean
  exchange: Exchange
}

export interface StartedAction {
  iteration: number
  actionId: string
  type: string
  name: string
  path: readonly string[]
}

export interface UserOutcome {
  /** That were begun. */
  iterations: number
  /** Actions without others inside them, each time that they were done. */
  passed: number
  failed: number
  /** Why it ended before its iterations were over; null where it did not. */
  ended: string | null
}
