import type { ErrorClass } from '@flamegate/series'
import type { RequestParts } from '../steps/http-request.ts'
import type { Asserted } from '../response/assert.ts'
import type { Extracted } from '../response/extract.ts'
import type { Value } from './compiled-template.ts'
import type { ResultDraft } from './result-draft.ts'
import type { User } from './user.ts'

/** An action, compiled. */
export interface Step {
  /** Its place among all actions of the document, those inside others after the one that they are in. */
  index: number
  id: string
  type: string
  name: string
  /** Ids of the actions around it, from the outermost. */
  path: readonly string[]
  isEnabled: boolean
  /** Why an import disabled it. */
  disabledReason: string | null
  does: Doing
}

/**
 * What a step does, in a form that both can run: the check, which waits for one step after the other, and a load, in which thousands
 * of users take their turns in one thread.
 */
export type Doing =
  | {
      kind: 'act'
      run: Run
      /** Of HTTP requests: what they are made of. */
      request: RequestParts | null
    }
  /** Done at once, and told in words only. */
  | { kind: 'now'; run: (user: User, told: Told) => void }
  | { kind: 'wait'; waitMs: (user: User) => number }
  /** Has others inside it, which are counted instead of it. */
  | { kind: 'around'; open: Open }

/** Does it, and writes down what came of it. Throws an ActionFailure, or fails the draft, where it goes wrong. */
export type Run = (user: User, draft: ResultDraft) => void | Promise<void>

/**
 * Begins an action that has others inside it. What it gives is asked, before each pass, for the steps of the next one; undefined
 * ends it. Both may throw an ActionFailure.
 */
export type Open = (user: User, told: Told) => () => readonly Step[] | undefined

/** Hears what comes of an action. */
export interface Told {
  /** Of what is as it has to be, no words are wanted. */
  readonly isBrief: boolean
  /** The first thing that went wrong is why it failed. */
  fail: (words: string, errorClass: ErrorClass) => void
  say: (message: string) => void
  set: (variable: string, value: Value) => void
  asserted: (asserted: Asserted) => void
  extracted: (extracted: Extracted) => void
}
