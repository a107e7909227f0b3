import type { Field } from '../../../model/template.ts'
import type { AssertionDraft, ExtractorDraft } from '../../import-draft.ts'

/** What a statement of a script does, as parts of a virtual user do it. */
export type Effect =
  | { kind: 'check'; assertion: AssertionDraft }
  | { kind: 'extract'; extractor: ExtractorDraft }
  /** Before the request when the script runs before it, after it otherwise. */
  | { kind: 'set'; variable: string; value: string }
  | { kind: 'header'; header: Field }

/** One statement, and what it became. */
export interface ReadStatement {
  /** In the script, from 1. */
  line: number
  text: string
  isTaken: boolean
  /** Why it was not taken, or how what it became differs. */
  notes: string[]
  effects: Effect[]
}
