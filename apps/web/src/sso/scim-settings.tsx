import { operations, type AnswerOf } from '@flamegate/contract'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { FormResult } from '../components/form-result.tsx'
import { Form } from '../components/form.tsx'
import { Section } from '../components/section.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { roleChoices, type SsoRole } from './role-choices.ts'

type Scim = AnswerOf<typeof operations.getScim>

const outdates = [operations.getScim]

/** Whether the identity provider adds and removes members by itself, and what it needs for that. */
export function ScimSettings({ workspaceId }: { workspaceId: string }) {
  const query = useAnswer(operations.getScim, { workspace_id: workspaceId })
  return (
    <Section title="Provisioning">
      <p className="text-muted">
        By SCIM, your identity provider adds people with an address of a proved domain as members, and removes
        them at once when they leave.
      </p>
      <Answer query={query} skeleton={<SkeletonBlock height="6rem" />}>
        {(scim) => <Parts scim={scim} />}
      </Answer>
    </Section>
  )
}

function Parts({ scim: { workspace_id: workspaceId, base_url: baseUrl, token } }: { scim: Scim }) {
  return (
    <div className="flex flex-col gap-4">
      <CopyField label="SCIM base URL" value={baseUrl} />
      <p>
        {token === null ? (
          'There is no token: nobody is provisioned.'
        ) : (
          <>
            The token <code>{token.prefix}…</code> gives the role {token.default_role},{' '}
            {token.last_used_at === null ? (
              'and was not used yet.'
            ) : (
              <>
                and was last used <When at={token.last_used_at} />.
              </>
            )}
          </>
        )}
      </p>
      <div className="flex flex-wrap gap-3">
        <NewToken workspaceId={workspaceId} doesReplace={token !== null} />
        {token === null ? null : <Removal workspaceId={workspaceId} />}
      </div>
    </div>
  )
}

function NewToken({ workspaceId, doesReplace }: { workspaceId: string; doesReplace: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        {doesReplace ? 'Replace the SCIM token…' : 'Make a SCIM token…'}
      </Button>
      <Dialog title="New SCIM token" isOpen={isOpen} onClose={close}>
        <TokenForm workspaceId={workspaceId} doesReplace={doesReplace} onDone={close} />
      </Dialog>
    </>
  )
}

interface TokenFormProps {
  workspaceId: string
  doesReplace: boolean
  onDone: () => void
}

function TokenForm({ workspaceId, doesReplace, onDone }: TokenFormProps) {
  const [role, setRole] = useState<SsoRole>('member')
  const call = useCall(operations.setScimToken, outdates)
  if (call.data !== undefined) {
    return (
      <FormResult onDone={onDone}>
        <p>Give it to your identity provider now: it is not shown again.</p>
        <CopyField label="SCIM token" value={call.data.secret} />
      </FormResult>
    )
  }
  return (
    <Form
      error={call.error}
      fields={['default_role']}
      onSubmit={() => call.mutate({ workspace_id: workspaceId, default_role: role })}
    >
      <Select
        label="Role of provisioned members"
        name="default_role"
        choices={roleChoices}
        value={role}
        onChange={(id) => setRole(roleChoices.find((choice) => choice.id === id)?.id ?? 'member')}
      />
      {doesReplace ? (
        <p className="text-muted">The token that there is stops working at once. Members stay.</p>
      ) : null}
      <FormButtons action="Make the token" isDisabled={call.isPending} onCancel={onDone} />
    </Form>
  )
}

function Removal({ workspaceId }: { workspaceId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="danger" onPress={() => setOpen(true)}>
        Remove the SCIM token…
      </Button>
      {isOpen ? (
        <ConfirmCall
          title="Remove the SCIM token?"
          action="Remove"
          operation={operations.deleteScimToken}
          input={{ workspace_id: workspaceId }}
          outdates={outdates}
          onDone={() => say('The SCIM token is removed.')}
          onClose={() => setOpen(false)}
        >
          Your identity provider adds and removes nobody any more. Members stay.
        </ConfirmCall>
      ) : null}
    </>
  )
}
