import { operations, type Operation } from '@flamegate/contract'
import { type ReactNode, useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Dialog } from '../components/dialog.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { say } from '../components/toasts.tsx'
import type { Field } from '../documents/field.ts'
import type { JsonObject } from '../documents/json.ts'
import { DocumentForm } from './document-form.tsx'
import { topLevelPatch } from './top-level-patch.ts'

interface Parts {
  document: JsonObject
  onChange: (document: JsonObject) => void
}

interface Props {
  objectId: string
  name: string
  fieldsOf: (document: JsonObject) => readonly Field[]
  /** Of the listing that shows it. */
  outdates: readonly Pick<Operation, 'id'>[]
  /** What the table of fields cannot say. */
  renderBefore?: (parts: Parts) => ReactNode
  renderAfter?: (parts: Parts) => ReactNode
  /** A new value of a secret, which is no part of its document. */
  secretValue?: string | undefined
  onClose: () => void
}

/** Changes a variable, an HTTP server or a rule: what was changed is sent, for the version that was shown. */
export function EditDialog(props: Props) {
  const { objectId, name, onClose } = props
  const query = useAnswer(operations.getDesignObject, { object_id: objectId })
  return (
    <Dialog title={`Change ${name}`} isOpen onClose={onClose} wide>
      <Answer query={query} skeleton={<SkeletonBlock height="16rem" />}>
        {({ object }) => <Editor {...props} object={object} />}
      </Answer>
    </Dialog>
  )
}

interface EditorProps extends Props {
  object: { document: JsonObject; version: number }
}

function Editor({
  object,
  objectId,
  fieldsOf,
  outdates,
  renderBefore,
  renderAfter,
  secretValue,
  onClose,
}: EditorProps) {
  // What is shown stays that of the beginning, also when a newer one is read.
  const [start] = useState(object)
  const [document, setDocument] = useState(start.document)
  const call = useCall(operations.patchDesignObject, [
    ...outdates,
    operations.getDesignObject,
    operations.listDesignObjectVersions,
  ])
  const submit = () => {
    const patch = topLevelPatch(start.document, document)
    if (patch.length === 0 && !secretValue) {
      onClose()
      return
    }
    call.mutate(
      {
        object_id: objectId,
        patch: patch.map((operation) => ({ ...operation })),
        ...(secretValue ? { secret_value: secretValue } : {}),
        if_version: start.version,
      },
      {
        onSuccess: ({ object: { name } }) => {
          say(`${name} is saved.`)
          onClose()
        },
      },
    )
  }
  const parts = { document, onChange: setDocument }
  return (
    <DocumentForm
      {...parts}
      fields={fieldsOf(document)}
      error={call.error}
      isPending={call.isPending}
      action="Save"
      onSubmit={submit}
      onClose={onClose}
      before={renderBefore?.(parts)}
    >
      {renderAfter?.(parts)}
    </DocumentForm>
  )
}
