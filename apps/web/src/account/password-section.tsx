import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Form, textOf } from '../components/form.tsx'
import { Section } from '../components/section.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { changePassword, type OwnAccount } from './own-account.ts'
import { NotProved } from './proof.tsx'
import { useChange } from './use-change.ts'

/** Changes the password, or sets one for somebody who has none. */
export function PasswordSection({ account }: { account: OwnAccount }) {
  const call = useChange(changePassword)
  const [round, setRound] = useState(0)
  return (
    <Section title="Password">
      <Form
        // Anew after every change, with empty fields.
        key={round}
        error={call.error instanceof NotProved ? null : call.error}
        fields={['present_password', 'new_password']}
        onSubmit={(values) =>
          call.mutate(
            {
              ...(account.has_password ? { present_password: textOf(values, 'present_password') } : {}),
              new_password: textOf(values, 'new_password'),
            },
            {
              onSuccess: () => {
                setRound(round + 1)
                say('Your password is changed, and you are logged out everywhere else.')
              },
            },
          )
        }
      >
        {account.has_password ? (
          <TextField
            label="Present password"
            name="present_password"
            type="password"
            autoComplete="current-password"
            isRequired
            className="max-w-sm"
          />
        ) : (
          <p className="text-muted">You have no password so far.</p>
        )}
        <TextField
          label="New password"
          name="new_password"
          type="password"
          autoComplete="new-password"
          isRequired
          className="max-w-sm"
        />
        <Button type="submit" isDisabled={call.isPending} className="self-start">
          {account.has_password ? 'Change password' : 'Set password'}
        </Button>
      </Form>
    </Section>
  )
}
