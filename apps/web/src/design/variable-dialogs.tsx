import { operations, type RawInputOf } from '@flamegate/contract'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Dialog } from '../components/dialog.tsx'
import { Select } from '../components/select.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { type JsonObject, textOf } from '../documents/json.ts'
import { variantOf } from '../documents/field.ts'
import { DocumentForm } from './document-form.tsx'
import { EditDialog } from './edit-dialog.tsx'
import {
  creationOf,
  newVariable,
  ofType,
  variableBasics,
  variableShape,
  variableTypes,
} from './variable-fields.ts'

function fieldsOf(document: JsonObject) {
  return [...variableBasics, ...(variantOf(variableShape, document)?.fields ?? [])]
}

type CreateInput = RawInputOf<typeof operations.createVariable>

/** Makes a variable of any type. */
export function NewVariable({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const [document, setDocument] = useState<JsonObject>(newVariable)
  const [secret, setSecret] = useState('')
  const call = useCall(operations.createVariable, [operations.listVariables])
  const submit = () => {
    const { own, settings } = creationOf(document)
    const isSecret = document['type'] === 'secret'
    const input = { project_id: projectId, ...own, ...(isSecret ? { value: secret } : {}), settings }
    call.mutate(
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server judges what was written
      input as unknown as CreateInput,
      {
        onSuccess: ({ variable }) => {
          say(`\${${variable.name}} is there.`)
          onClose()
        },
      },
    )
  }
  return (
    <Dialog title="New variable" isOpen onClose={onClose} wide>
      <DocumentForm
        // The fields of another type are others.
        key={textOf(document['type'])}
        document={document}
        fields={fieldsOf(document)}
        onChange={setDocument}
        error={call.error}
        isPending={call.isPending}
        action="Create"
        onSubmit={submit}
        onClose={onClose}
        before={<TypeSelect document={document} onChange={setDocument} />}
      >
        {document['type'] === 'secret' ? <SecretField value={secret} onChange={setSecret} /> : null}
      </DocumentForm>
    </Dialog>
  )
}

interface Changed {
  id: string
  name: string
  type: string
  needs_value: boolean
}

/** Changes a variable. The value of a secret is never shown, and stays when none is given. */
export function EditVariable({ variable, onClose }: { variable: Changed; onClose: () => void }) {
  const [secret, setSecret] = useState('')
  return (
    <EditDialog
      objectId={variable.id}
      name={`\${${variable.name}}`}
      fieldsOf={fieldsOf}
      outdates={[operations.listVariables]}
      secretValue={secret}
      renderBefore={(parts) => <TypeSelect {...parts} />}
      renderAfter={({ document }) =>
        document['type'] === 'secret' ? (
          <SecretField
            value={secret}
            onChange={setSecret}
            isChanged={variable.type === 'secret'}
            isSet={variable.type === 'secret' && !variable.needs_value}
          />
        ) : null
      }
      onClose={onClose}
    />
  )
}

interface TypeProps {
  document: JsonObject
  onChange: (document: JsonObject) => void
}

function TypeSelect({ document, onChange }: TypeProps) {
  return (
    <Select
      label="Type"
      name="/type"
      className="max-w-72"
      choices={variableTypes}
      value={textOf(document['type'])}
      onChange={(type) => {
        if (type !== document['type']) onChange(ofType(document, type))
      }}
    />
  )
}

interface SecretProps {
  value: string
  onChange: (value: string) => void
  /** Whether a secret is changed, and not made. */
  isChanged?: boolean
  /** Whether it has a value already. */
  isSet?: boolean
}

function SecretField({ value, onChange, isChanged = false, isSet = false }: SecretProps) {
  return (
    <TextField
      label={isSet ? 'New value' : 'Value'}
      name={isChanged ? '/secret_value' : '/value'}
      type="password"
      autoComplete="off"
      value={value}
      onChange={onChange}
      hint={
        isSet
          ? 'Without one the value stays. It is stored encrypted, and never shown.'
          : 'It is stored encrypted, and never shown again: dots stand for it in everything that is kept.'
      }
    />
  )
}
