import { operations } from '@flamegate/contract'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { Form, textOf } from '../components/form.tsx'
import { Section } from '../components/section.tsx'
import { Select } from '../components/select.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { roleChoices, type SsoRole } from './role-choices.ts'
import { ssoOutdates, type Sso } from './sso-outdates.ts'

/** Issuer, client and role. The secret is never shown, and stays when the field is left empty. */
export function SsoSettingsForm({ sso, onSaved }: { sso: Sso; onSaved: () => void }) {
  const { settings } = sso
  const [role, setRole] = useState<SsoRole>(settings?.default_role ?? 'member')
  const call = useCall(operations.setSso, ssoOutdates)
  return (
    <Form
      error={call.error}
      fields={['issuer', 'client_id', 'client_secret', 'default_role']}
      onSubmit={(values) => {
        const secret = textOf(values, 'client_secret')
        call.mutate(
          {
            workspace_id: sso.workspace_id,
            issuer: textOf(values, 'issuer').trim(),
            client_id: textOf(values, 'client_id').trim(),
            ...(secret === '' ? {} : { client_secret: secret }),
            default_role: role,
            is_required: settings?.is_required ?? false,
            owners_keep_other_ways: settings?.owners_keep_other_ways ?? true,
          },
          {
            onSuccess: () => {
              say('Saved.')
              onSaved()
            },
          },
        )
      }}
    >
      <TextField
        label="Issuer"
        name="issuer"
        type="url"
        defaultValue={settings?.issuer ?? ''}
        placeholder="https://login.example.com"
        hint="As the provider writes it, to the letter: below it is /.well-known/openid-configuration."
        isRequired
      />
      <TextField
        label="Client ID"
        name="client_id"
        defaultValue={settings?.client_id ?? ''}
        autoComplete="off"
        isRequired
      />
      <TextField
        label="Client secret"
        name="client_secret"
        type="password"
        autoComplete="off"
        hint={
          settings === null
            ? 'It is kept sealed, and never shown.'
            : 'Leave it empty to keep the one that is set.'
        }
      />
      <Select
        label="Role of new members"
        name="default_role"
        choices={roleChoices}
        value={role}
        onChange={(id) => setRole(roleChoices.find((choice) => choice.id === id)?.id ?? 'member')}
        className="max-w-60"
      />
      <Button type="submit" variant="primary" isDisabled={call.isPending} className="self-start">
        Save
      </Button>
    </Form>
  )
}

export function SsoRemoval({ workspaceId }: { workspaceId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Section title="Remove">
      <p className="text-muted">
        Nobody logs in with the provider any more. Members stay members; who has no password chooses one by a
        mail.
      </p>
      <Button variant="danger" className="self-start" onPress={() => setOpen(true)}>
        Remove the provider…
      </Button>
      {isOpen ? (
        <ConfirmCall
          title="Remove the provider?"
          action="Remove"
          operation={operations.deleteSso}
          input={{ workspace_id: workspaceId }}
          outdates={ssoOutdates}
          onDone={() => say('Single sign-on is removed.')}
          onClose={() => setOpen(false)}
        >
          Its client secret is deleted, too. The domains stay proved.
        </ConfirmCall>
      ) : null}
    </Section>
  )
}
