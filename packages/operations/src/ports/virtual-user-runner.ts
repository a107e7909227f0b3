import type { ActionResult, HttpServer, UserOutcome, Variable, VirtualUser } from '@flamegate/loadtest'
import type { TargetGate } from './targets.ts'

/** Everything that one virtual user needs to run. */
export interface RunPlan {
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
  /** Of whatever is random, so that a run can be repeated. */
  seed: number
  signal: AbortSignal
}

/** Runs a virtual user, away from the thread that everybody shares. */
export interface VirtualUserRunner {
  run(plan: RunPlan, finished: (result: ActionResult) => void | Promise<void>): Promise<UserOutcome>
}
