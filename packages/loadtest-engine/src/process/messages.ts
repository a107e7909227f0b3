import type { ActionOf, HttpServer, Variable, VirtualUser } from '@flamegate/loadtest'
import type { ActionResult, PageOutcome, PageUser, StartedAction, UserOutcome } from '../ports.ts'

/** What a process is given when it starts: a plan, without what cannot leave its own process. */
export interface ProcessPlan {
  document: VirtualUser
  servers: ReadonlyMap<string, HttpServer>
  variables: readonly Variable[]
  secrets: ReadonlyMap<string, string>
  iterations: number
  seed: number
  hasPages: boolean
}

/** What one side asks of the other, and is answered. Questions are known by number. */
export interface Questions {
  // Of the process
  resolve: { of: { host: string; port: number }; answer: readonly { address: string; family: 4 | 6 }[] }
  openFile: { of: { path: string }; answer: Uint8Array | undefined }
  finished: { of: { result: ActionResult }; answer: null }
  page: {
    of: {
      page: number
      action: ActionOf<'page'>
      serverIds: readonly string[]
    } & Pick<PageUser, 'iteration' | 'forgets' | 'usesSecrets'>
    answer: PageOutcome
  }
  // Of those that started it, for a page
  expand: { of: { page: number; template: string }; answer: string }
  set: { of: { page: number; variable: string; value: string }; answer: null }
}

export type QuestionKind = keyof Questions

/** As it is received: what a question or an answer holds, only those who asked know. */
export type ProcessMessage =
  /** The first one. */
  | { type: 'plan'; plan: ProcessPlan }
  /** Comes all the time, as long as the process is not held up. */
  | { type: 'pulse' }
  | { type: 'question'; number: number; kind: QuestionKind; of: never }
  | { type: 'answer'; number: number; value: never }
  | { type: 'refusal'; number: number; message: string; kind: 'target' | 'other' }
  | { type: 'started'; action: StartedAction }
  | { type: 'ended'; outcome: UserOutcome }
  | { type: 'abort' }
