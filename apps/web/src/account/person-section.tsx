import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Form, textOf } from '../components/form.tsx'
import { Section } from '../components/section.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { meOptions } from '../shell/workspace.ts'
import { ChangeError } from './change-error.tsx'
import { askForEmail, type OwnAccount, rename, sendVerificationMail } from './own-account.ts'
import { NotProved } from './proof.tsx'
import { useChange } from './use-change.ts'

/** Name and e-mail address. */
export function PersonSection({ account }: { account: OwnAccount }) {
  const queries = useQueryClient()
  const call = useChange(rename)
  return (
    <Section title="You">
      <Form
        error={call.error}
        fields={['name']}
        onSubmit={(values) =>
          call.mutate(textOf(values, 'name'), {
            onSuccess: () => {
              say('Your name is changed.')
              void queries.invalidateQueries({ queryKey: meOptions.queryKey })
            },
          })
        }
      >
        <div className="flex flex-wrap items-start gap-2">
          <TextField
            label="Name"
            name="name"
            autoComplete="name"
            defaultValue={account.user.name}
            maxLength={100}
            isRequired
            className="w-full max-w-sm"
          />
          <Button type="submit" isDisabled={call.isPending} className="mt-6">
            Save name
          </Button>
        </div>
      </Form>
      <EmailState account={account} />
      <NewEmail />
    </Section>
  )
}

function EmailState({ account }: { account: OwnAccount }) {
  const call = useChange(sendVerificationMail)
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="flex flex-wrap items-center gap-2">
        <span className="break-all">{account.user.email}</span>
        {account.is_email_confirmed ? (
          <Badge tone="better">confirmed</Badge>
        ) : (
          <Badge tone="caution">not confirmed</Badge>
        )}
      </p>
      {account.is_email_confirmed ? null : (
        <Button
          isDisabled={call.isPending || call.isSuccess}
          onPress={() =>
            call.mutate(undefined, { onSuccess: () => say('A link is on its way to your mailbox.') })
          }
        >
          Send the link to confirm it again
        </Button>
      )}
      <ChangeError error={call.error} />
    </div>
  )
}

function NewEmail() {
  const call = useChange(askForEmail)
  const [round, setRound] = useState(0)
  return (
    <Form
      // Anew after every change, with an empty field.
      key={round}
      error={call.error instanceof NotProved ? null : call.error}
      fields={['email']}
      onSubmit={(values) => {
        const email = textOf(values, 'email')
        call.mutate(email, {
          onSuccess: () => {
            setRound(round + 1)
            say(`A mail is on its way to ${email}. Open the link in it to use that address.`)
          },
        })
      }}
    >
      <div className="flex flex-wrap items-start gap-2">
        <TextField
          label="New e-mail address"
          name="email"
          type="email"
          autoComplete="email"
          isRequired
          className="w-full max-w-sm"
        />
        <Button type="submit" isDisabled={call.isPending} className="mt-6">
          Change address
        </Button>
      </div>
    </Form>
  )
}
