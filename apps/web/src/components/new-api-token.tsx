import { clientScopes, operations, type Scope, scopes } from '@flamegate/contract'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Button } from './button.tsx'
import { CheckboxGroup } from './checkbox-group.tsx'
import { CopyField } from './copy-field.tsx'
import { Dialog } from './dialog.tsx'
import { FormButtons } from './form-buttons.tsx'
import { FormResult } from './form-result.tsx'
import { Form, textOf } from './form.tsx'
import { PlusIcon } from './icons.tsx'
import { Select } from './select.tsx'
import { TextField } from './text-field.tsx'

/** A button that makes an API token. */
export function NewApiToken({ workspaceId }: { workspaceId: string }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button variant="primary" onPress={() => setOpen(true)}>
        <PlusIcon />
        New token
      </Button>
      <Dialog title="New API token" isOpen={isOpen} onClose={close}>
        <TokenForm workspaceId={workspaceId} onDone={close} />
      </Dialog>
    </>
  )
}

const lifetimes = [
  { id: '30', label: '30 days' },
  { id: '90', label: '90 days' },
  { id: '365', label: 'A year' },
  { id: 'never', label: 'It does not expire' },
]

const scopeChoices = clientScopes.map((id) => ({
  id,
  label: (
    <span>
      <code>{id}</code> <span className="text-muted">{scopes[id]}</span>
    </span>
  ),
}))

function TokenForm({ workspaceId, onDone }: { workspaceId: string; onDone: () => void }) {
  const [chosen, setChosen] = useState<readonly string[]>(['upload'])
  const [lifetime, setLifetime] = useState('90')
  const call = useCall(operations.createApiToken, [operations.listApiTokens])
  if (call.data !== undefined) {
    return (
      <FormResult onDone={onDone}>
        <p>
          Keep the secret of <strong className="font-semibold">{call.data.api_token.name}</strong> now: it is
          not shown again.
        </p>
        <CopyField label="Secret" value={call.data.secret} />
        <div className="flex flex-col gap-1">
          <CopyField label="Client id" value={call.data.api_token.id} />
          <p className="text-sm text-muted">
            For clients that log in by OAuth client credentials; the secret is their client secret.
          </p>
        </div>
      </FormResult>
    )
  }
  const chosenScopes: Scope[] = clientScopes.filter((name) => chosen.includes(name))
  return (
    <Form
      error={call.error}
      fields={['name', 'scopes', 'expires_in_days']}
      onSubmit={(values) =>
        call.mutate({
          workspace_id: workspaceId,
          name: textOf(values, 'name'),
          scopes: chosenScopes,
          expires_in_days: lifetime === 'never' ? null : Number(lifetime),
        })
      }
    >
      <TextField label="Name" name="name" placeholder="CI" maxLength={100} isRequired />
      <CheckboxGroup
        label="It may"
        name="scopes"
        choices={scopeChoices}
        value={chosenScopes}
        onChange={setChosen}
      />
      <Select
        label="Works for"
        name="expires_in_days"
        choices={lifetimes}
        value={lifetime}
        onChange={setLifetime}
      />
      <FormButtons action="Create token" isDisabled={call.isPending} onCancel={onDone} />
    </Form>
  )
}
