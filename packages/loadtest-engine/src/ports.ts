import type { ErrorClass } from '@flamegate/series'
export type { ActionResult, ReplayedExchange, StartedAction, UserOutcome } from '@flamegate/loadtest'
import type {
  ActionOf,
  ActionResult,
  HttpServer,
  ReplayedExchange,
  StartedAction,
  Variable,
  VirtualUser,
} from '@flamegate/loadtest'

/** Everything that one virtual user needs to run. */
export interface UserPlan {
  document: VirtualUser
  servers: ReadonlyMap<string, HttpServer>
  variables: readonly Variable[]
  /** Values of the secret variables, by name. */
  secrets: ReadonlyMap<string, string>
  /** Bytes of a project file; undefined where there is none. */
  openFile: (path: string) => Promise<Uint8Array | undefined>
  /** Where a connection may go. */
  gate: TargetGate
  iterations: number
  /** Seed of whatever is random, so that a run can be repeated. */
  seed: number
  signal: AbortSignal
  /** Does the `page` actions; without it they fail, and say so. */
  pages?: PageRunner | undefined
}

/**
 * Decides where connections go: every one of them is opened to an address that this gave, by name or number, so that a name
 * cannot mean another address between the check and the use.
 */
export interface TargetGate {
  /** Addresses of a host that may be connected to, best first. Rejects with a TargetRefused whose message says why not. */
  resolve: (host: string, port: number) => Promise<readonly { address: string; family: 4 | 6 }[]>
}

export class TargetRefused extends Error {}

/** A browser for one virtual user: what one action left in it, the next one finds. */
export interface PageRunner {
  run: (action: ActionOf<'page'>, user: PageUser) => Promise<PageOutcome>
}

/** What a page runner may ask of the user that it works for. Its methods may be answered from another thread. */
export interface PageUser {
  servers: ReadonlyMap<string, HttpServer>
  gate: TargetGate
  openFile: UserPlan['openFile']
  signal: AbortSignal
  /** Counted from 0. */
  iteration: number
  /** What is not carried from one iteration to the next. */
  forgets: { cookies: boolean; cache: boolean }
  /** Secrets are sent or filled in, now or in another action: no picture may show them, and no trace is kept. */
  usesSecrets: boolean
  /** Rejects with an Error whose message names the variable that has no value. */
  expand: (template: string) => Promise<string>
  set: (variable: string, value: string) => Promise<void>
}

export interface PageOutcome {
  /** Why it failed, in words; null where it did not. */
  failure: string | null
  errorClass: ErrorClass | null
  /** What it took to get ready, before the first step, and that is no time of the target. */
  preparationMs: number
  messages: readonly string[]
  exchanges: readonly ReplayedExchange[]
  screenshot: Uint8Array | null
  /** ZIP for Playwright's trace viewer, of `page` actions. */
  trace: Uint8Array | null
}

export interface Observer {
  started?: (action: StartedAction) => void
  /** The user goes on when this is done. */
  finished: (result: ActionResult) => void | Promise<void>
}
