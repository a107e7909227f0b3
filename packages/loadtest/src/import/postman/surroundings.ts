import type { ImportDraft, InnerElements } from '../import-draft.ts'
import type { PostmanVariables, Scope } from './postman-variables.ts'

/** What the parts of a request are read with. */
export interface Surroundings {
  draft: ImportDraft
  variables: PostmanVariables
  scope: Scope
  /** Of the item: `item[2].item[0]`. */
  place: string
  /** Parts that are taken are put here. */
  inner: InnerElements
  /** What is to be said of the request as a whole is put here. */
  notes: string[]
}
