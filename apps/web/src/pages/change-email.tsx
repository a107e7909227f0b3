import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { changeEmail } from '../accounts.ts'
import { Button, buttonClass } from '../components/button.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { BarePage } from '../shell/bare-page.tsx'
import { IncompleteLinkPage } from '../shell/incomplete-link-page.tsx'

const route = getRouteApi('/change-email')

/** Where the link to a new address leads. The button takes it, because programs open links in mails as well. */
export function ChangeEmailPage() {
  const { token } = route.useSearch()
  const call = useMutation({ mutationFn: changeEmail })
  if (token === undefined) return <IncompleteLinkPage from="the mail" />
  if (call.data !== undefined) {
    return (
      <BarePage title="Your e-mail address is changed">
        <p className="mb-5 text-muted">
          You log in with <strong className="break-all">{call.data.email}</strong> from now on. Your former
          address was told, and can undo this for seven days.
        </p>
        <Link to="/settings/account" className={buttonClass('primary')}>
          Continue
        </Link>
      </BarePage>
    )
  }
  return (
    <BarePage title="Change your e-mail address">
      <div className="flex flex-col gap-4">
        <p className="text-muted">
          From now on this address is the one that you log in with, and that mails about your account go to.
        </p>
        {call.error === null ? null : <ProblemNote error={call.error} isBrief />}
        <Button variant="primary" isDisabled={call.isPending} onPress={() => call.mutate(token)}>
          Use this address
        </Button>
      </div>
    </BarePage>
  )
}
