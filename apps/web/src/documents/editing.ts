import { createContext, useContext } from 'react'
import type { JsonObject } from './json.ts'
import { type Operation, setting } from './json-patch.ts'

export interface Server {
  id: string
  name: string
  base_url: string
}

/** Operations, or what makes them for the document as it is by then. */
export type Change = readonly Operation[] | ((document: JsonObject) => readonly Operation[])

/** What the parts of the editor have in common. The document is not among it: with each key it is another one. */
export interface Editing {
  servers: readonly Server[]
  /** Does operations as one step that can be undone, told in these words. */
  change: (words: string, patch: Change) => void
}

export const EditingContext = createContext<Editing>({ servers: [], change: () => {} })

/** Gives the field at a JSON pointer a value. */
export function useSetValue(pointer: string, label: string): (value: unknown) => void {
  const { change } = useContext(EditingContext)
  return (value) => change(`Changed “${label}”`, (document) => [setting(document, pointer, value)])
}
