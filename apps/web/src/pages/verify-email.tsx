import { ApiProblem } from '@flamegate/client'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { verifyEmail } from '../accounts.ts'
import { Button, buttonClass } from '../components/button.tsx'
import { Form, textOf } from '../components/form.tsx'
import { TextField } from '../components/text-field.tsx'
import { BarePage } from '../shell/bare-page.tsx'
import { IncompleteLinkPage } from '../shell/incomplete-link-page.tsx'

const route = getRouteApi('/verify-email')

/**
 * Where the link in a mail leads. The button takes it, because programs open links in mails as well; and unless this
 * is the browser that signed up, the password shows that it was not a stranger who did.
 */
export function VerifyEmailPage() {
  const { token } = route.useSearch()
  const [needsPassword, setNeedsPassword] = useState(false)
  const call = useMutation({
    mutationFn: verifyEmail,
    onError: (error) => setNeedsPassword(needsPassword || isProofNeeded(error)),
  })
  if (token === undefined) return <IncompleteLinkPage from="the mail" />
  if (call.data !== undefined) {
    return (
      <BarePage title="Your e-mail address is confirmed">
        <p className="mb-5 text-muted">
          <strong className="break-all">{call.data.email}</strong> belongs to your account.
        </p>
        <Link to="/" className={buttonClass('primary')}>
          Continue
        </Link>
      </BarePage>
    )
  }
  return (
    <BarePage title="Confirm your e-mail address">
      <Form
        error={isProofNeeded(call.error) ? null : call.error}
        fields={['password']}
        onSubmit={(values) =>
          call.mutate({ token, ...(needsPassword ? { password: textOf(values, 'password') } : {}) })
        }
      >
        {needsPassword ? (
          <>
            <p className="text-muted">
              Enter the password you chose when signing up. It shows that nobody else signed up with your
              address. If you did not sign up, leave this page, or{' '}
              <Link to="/forgot-password" className="text-link">
                choose a new password
              </Link>
              .
            </p>
            <TextField
              label="Password"
              name="password"
              type="password"
              autoComplete="current-password"
              isRequired
            />
          </>
        ) : (
          <p className="text-muted">Confirm that you read the mail to the address that you signed up with.</p>
        )}
        <Button type="submit" variant="primary" isDisabled={call.isPending}>
          Confirm
        </Button>
      </Form>
    </BarePage>
  )
}

function isProofNeeded(error: Error | null): boolean {
  return error instanceof ApiProblem && error.code === 'proof_needed'
}
