import type { ReactNode } from 'react'
import { fieldMessages } from '../problem-words.ts'
import { FormMessages } from './form-messages.ts'
import { ProblemNote } from './problem-note.tsx'

interface Props {
  /** What the last try was refused with; its field errors show at the fields of the same `name`. */
  error: Error | null
  /** Names of the form's fields: an error about another field shows above the form. */
  fields: readonly string[]
  onSubmit: (values: FormData) => void
  children: ReactNode
}

/** Sends whatever was typed: the server is the one judge of what is valid, and its words show at the fields. */
export function Form({ error, fields, onSubmit, children }: Props) {
  const messages = fieldMessages(error)
  const isAboutFields = Object.keys(messages).some((name) => fields.includes(name))
  return (
    <FormMessages value={messages}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit(new FormData(event.currentTarget))
        }}
        className="flex flex-col gap-4"
      >
        {error === null || isAboutFields ? null : <ProblemNote error={error} isBrief />}
        {children}
      </form>
    </FormMessages>
  )
}

/** The text of a field. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name)
  return typeof value === 'string' ? value : ''
}
