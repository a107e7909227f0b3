import { createContext, useContext } from 'react'
import type { JsonObject } from './json.ts'
import { type Operation, setting } from './json-patch.ts'

export interface Server {
  id: string
  name: string
  base_url: string
}

/** What the parts of the editor have in common. */
export interface Editing {
  document: JsonObject
  servers: readonly Server[]
  /** Does operations as one step that can be undone, told in these words. */
  change: (words: string, patch: readonly Operation[]) => void
}

export const EditingContext = createContext<Editing>({ document: {}, servers: [], change: () => {} })

/** Gives the field at a JSON pointer a value. */
export function useSetValue(pointer: string, label: string): (value: unknown) => void {
  const { document, change } = useContext(EditingContext)
  return (value) => change(`Changed “${label}”`, [setting(document, pointer, value)])
}
