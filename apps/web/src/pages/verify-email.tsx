import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { verifyEmail } from '../accounts.ts'
import { Button, buttonClass } from '../components/button.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { BarePage } from '../shell/bare-page.tsx'

const route = getRouteApi('/verify-email')

/** Where the link in a mail leads. The button takes it, because programs open links in mails as well. */
export function VerifyEmailPage() {
  const { token = '' } = route.useSearch()
  const call = useMutation({ mutationFn: verifyEmail })
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
      <div className="flex flex-col gap-4">
        <p className="text-muted">Confirm that you read the mail to the address that you signed up with.</p>
        {call.error === null ? null : <ProblemNote error={call.error} isBrief />}
        <Button variant="primary" isDisabled={call.isPending} onPress={() => call.mutate(token)}>
          Confirm
        </Button>
      </div>
    </BarePage>
  )
}
