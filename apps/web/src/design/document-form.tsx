import { ApiProblem } from '@flamegate/client'
import { type ReactNode, useMemo } from 'react'
import { FormButtons } from '../components/form-buttons.tsx'
import { FormMessages } from '../components/form-messages.ts'
import { ProblemNote } from '../components/problem-note.tsx'
import { type Change, EditingContext } from '../documents/editing.ts'
import { FieldRows } from '../documents/field-view.tsx'
import type { Field } from '../documents/field.ts'
import { isObject, type JsonObject } from '../documents/json.ts'
import { applyPatch } from '../documents/json-patch.ts'

interface Props {
  document: JsonObject
  fields: readonly Field[]
  onChange: (document: JsonObject) => void
  /** What the last try was refused with. */
  error: Error | null
  /** The place in the document of a field that the server names. */
  pointerOf?: (field: string) => string
  isPending: boolean
  /** The verb on the button. */
  action: string
  onSubmit: () => void
  onClose: () => void
  /** Above the fields. */
  before?: ReactNode
  /** Below the fields. */
  children?: ReactNode
}

/** A form for a document, out of a table of its fields. The server judges it; its words show at the fields. */
export function DocumentForm(props: Props) {
  const { document, fields, onChange, error, pointerOf = asPointer, isPending, action } = props
  const editing = useMemo(
    () => ({
      servers: [],
      change: (_words: string, patch: Change) => {
        const changed = applyPatch(document, typeof patch === 'function' ? patch(document) : patch).document
        if (isObject(changed)) onChange(changed)
      },
    }),
    [document, onChange],
  )
  const messages =
    error instanceof ApiProblem
      ? Object.fromEntries(error.errors.map(({ field, message }) => [pointerOf(field), message]))
      : {}
  return (
    <FormMessages value={messages}>
      <EditingContext value={editing}>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            props.onSubmit()
          }}
          className="flex flex-col gap-4"
        >
          {props.before}
          <FieldRows fields={fields} pointer="" value={document} />
          {props.children}
          {/* At the button, because a long form may show no field that it is about. */}
          {error === null ? null : <ProblemNote error={error} isBrief />}
          <FormButtons action={action} isDisabled={isPending} onCancel={props.onClose} />
        </form>
      </EditingContext>
    </FormMessages>
  )
}

/** Patches are refused by JSON pointer, flat inputs by dotted names. */
function asPointer(field: string): string {
  return field.startsWith('/') ? field : `/${field.replace(/^settings\./, '').replaceAll('.', '/')}`
}
