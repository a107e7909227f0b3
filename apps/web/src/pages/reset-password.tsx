import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { resetPassword } from '../accounts.ts'
import { Button, buttonClass } from '../components/button.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { Form, textOf } from '../components/form.tsx'
import { TextField } from '../components/text-field.tsx'
import { BarePage } from '../shell/bare-page.tsx'
import { IncompleteLinkPage } from '../shell/incomplete-link-page.tsx'

const route = getRouteApi('/reset-password')

/** Where the link in a mail leads: choose a new password. */
export function ResetPasswordPage() {
  const { token } = route.useSearch()
  const [endsApps, setEndsApps] = useState(false)
  const call = useMutation({ mutationFn: resetPassword })
  if (token === undefined) return <IncompleteLinkPage from="the mail" />
  if (call.data !== undefined) {
    return (
      <BarePage title="Your password is changed">
        <p className="mb-5 text-muted">
          You are logged out everywhere. If somebody else may have been in your account, look at what else
          lets in: passkeys and linked services on the account page, and connected apps.
        </p>
        <div className="flex flex-col items-start gap-3">
          <Link to="/log-in" className={buttonClass('primary')}>
            Log in
          </Link>
          <Link to="/log-in" search={{ return_to: '/settings/account' }} className="text-link">
            Log in and look at passkeys and linked services
          </Link>
          <Link to="/log-in" search={{ return_to: '/connected-apps' }} className="text-link">
            Log in and look at connected apps
          </Link>
        </div>
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
