import { createContext, useContext } from 'react'

/**
 * What the server said of a form's fields, by name. Not React Aria's `validationErrors`: those vanish when a field
 * loses focus, which moves the button away from under a press.
 */
export const FormMessages = createContext<Readonly<Record<string, string>>>({})

/** What the server said of this field the last time. */
export function useFieldMessage(name: string | undefined): string | undefined {
  const messages = useContext(FormMessages)
  return name === undefined ? undefined : messages[name]
}
