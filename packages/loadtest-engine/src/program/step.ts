import type { ResultDraft } from './result-draft.ts'
import type { User } from './user.ts'

/** An action, compiled. */
export interface Step {
  id: string
  type: string
  name: string
  /** Ids of the actions around it, from the outermost. */
  path: readonly string[]
  isEnabled: boolean
  /** Why an import disabled it. */
  disabledReason: string | null
  /** Has others inside it, which are counted instead of it. */
  isAround: boolean
  /** Does it, and writes down what came of it. Throws an ActionFailure, or fails the draft, where it goes wrong. */
  run: Run
}

export type Run = (user: User, draft: ResultDraft) => Promise<void>
