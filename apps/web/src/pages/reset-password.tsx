import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { resetPassword } from '../accounts.ts'
import { Button, buttonClass } from '../components/button.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { Form, textOf } from '../components/form.tsx'
import { TextField } from '../components/text-field.tsx'
import { BarePage } from '../shell/bare-page.tsx'

const route = getRouteApi('/reset-password')

/** Where the link in a mail leads: choose a new password. */
export function ResetPasswordPage() {
  const { token = '' } = route.useSearch()
  const [endsApps, setEndsApps] = useState(false)
  const call = useMutation({ mutationFn: resetPassword })
  if (call.data !== undefined) {
    return (
      <BarePage title="Your password is changed">
        <p className="mb-5 text-muted">You are logged out everywhere. Log in with the new one.</p>
        <Link to="/log-in" className={buttonClass('primary')}>
          Log in
        </Link>
      </BarePage>
    )
  }
  return (
    <BarePage title="Choose a new password">
      <Form
        error={call.error}
        fields={['password']}
        onSubmit={(values) =>
          call.mutate({ token, password: textOf(values, 'password'), end_connected_apps: endsApps })
        }
      >
        <TextField
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint="A sentence of a few words is easy to remember and hard to guess."
          isRequired
        />
        <Checkbox isSelected={endsApps} onChange={setEndsApps}>
          <span>
            Cut off all connected apps too{' '}
            <span className="text-muted">if somebody else may have been in your account</span>
          </span>
        </Checkbox>
        <Button type="submit" variant="primary" isDisabled={call.isPending} className="mt-2">
          Change password
        </Button>
      </Form>
    </BarePage>
  )
}
