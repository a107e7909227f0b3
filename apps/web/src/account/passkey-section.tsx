import { useState } from 'react'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { Section } from '../components/section.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { ItemList } from './item-list.tsx'
import { type OwnAccount, removePasskey } from './own-account.ts'
import { addPasskey } from './passkeys.ts'
import { NotProved } from './proof.tsx'
import { Removal } from './removal.tsx'
import { useChange } from './use-change.ts'

/** The passkeys of the account. */
export function PasskeySection({ account }: { account: OwnAccount }) {
  return (
    <Section title="Passkeys" aside={account.can_use_passkeys ? <NewPasskey /> : undefined}>
      <p className="text-muted">
        Log in with a fingerprint, your face or a security key. Nobody can guess a passkey, and no other page
        can ask you for it.
      </p>
      {account.can_use_passkeys ? null : (
        <p className="text-muted">
          Browsers offer passkeys only on sites with https, or on this machine under the name localhost.
        </p>
      )}
      <ItemList
        label="Passkeys"
        items={account.passkeys.map((passkey) => ({
          id: passkey.id,
          title: passkey.name,
          badge: passkey.is_synced ? <Badge>synced</Badge> : undefined,
          detail: (
            <>
              added <When at={passkey.created_at} />,{' '}
              {passkey.last_used_at === null ? (
                'never used'
              ) : (
                <>
                  last used <When at={passkey.last_used_at} />
                </>
              )}
            </>
          ),
          action: <RemovePasskey id={passkey.id} name={passkey.name} />,
        }))}
      />
    </Section>
  )
}

function RemovePasskey({ id, name }: { id: string; name: string }) {
  return (
    <Removal
      label={`Remove ${name}`}
      title={`Remove the passkey ${name}?`}
      action="Remove"
      change={() => removePasskey(id)}
      done={`${name} does not log in any more.`}
    >
      Remove it from your device or password manager as well: it stays there, and does nothing.
    </Removal>
  )
}

function NewPasskey() {
  const [isOpen, setOpen] = useState(false)
  const call = useChange(addPasskey)
  const close = () => setOpen(false)
  return (
    <>
      <Button onPress={() => setOpen(true)}>Add a passkey</Button>
      <Dialog title="Add a passkey" isOpen={isOpen} onClose={close}>
        <Form
          error={call.error instanceof NotProved ? null : call.error}
          fields={['name']}
          onSubmit={(values) =>
            call.mutate(textOf(values, 'name'), {
              onSuccess: () => {
                close()
                say('The passkey is added.')
              },
            })
          }
        >
          <TextField
            label="Name"
            name="name"
            hint="To tell it from others, such as the name of this device."
            defaultValue="Passkey"
            maxLength={100}
            isRequired
          />
          <FormButtons action="Continue" isDisabled={call.isPending} onCancel={close} />
        </Form>
      </Dialog>
    </>
  )
}
