import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { fetchSession, type Invitation, join } from '../accounts.ts'
import { Button } from '../components/button.tsx'
import { ConfirmYourEmail } from '../components/confirm-your-email.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { SignUpForm } from '../components/sign-up-form.tsx'
import { BarePage } from '../shell/bare-page.tsx'
import { IncompleteLinkPage } from '../shell/incomplete-link-page.tsx'
import { chooseWorkspace } from '../shell/workspace.ts'

const route = getRouteApi('/join')

/** Where an invitation's link leads: with an account or a new one, be a member of the workspace that invited. */
export function JoinPage() {
  const { token, invitation: id } = route.useSearch()
  const [mailedTo, setMailedTo] = useState<string>()
  const session = useQuery({ queryKey: ['session'], queryFn: ({ signal }) => fetchSession(signal) })
  if (token === undefined && id === undefined) {
    return <IncompleteLinkPage from="your invitation" />
  }
  if (mailedTo !== undefined) return <ConfirmYourEmail email={mailedTo} goOn={{}} />
  const user = session.data?.user
  const invitation = { invitation: token, invitation_id: id }
  return (
    <BarePage title="Join a workspace">
      {user === undefined ? (
        <JoinAsNewcomer invitation={invitation} onMailed={setMailedTo} />
      ) : (
        <JoinAs email={user.email} invitation={invitation} />
      )}
    </BarePage>
  )
}

function JoinAs({ email, invitation }: { email: string; invitation: Invitation }) {
  const call = useMutation({
    mutationFn: () => join(invitation),
    onSuccess: ({ joined_workspace_id: workspaceId }) => enter(workspaceId),
  })
  return (
    <>
      <p className="mb-5 text-muted">
        You were invited to a workspace on Flamegate, and you are logged in as <strong>{email}</strong>.
      </p>
      {call.error === null ? null : <ProblemNote error={call.error} isBrief />}
      <Button variant="primary" isDisabled={call.isPending || call.isSuccess} onPress={() => call.mutate()}>
        Join as {email}
      </Button>
    </>
  )
}

function JoinAsNewcomer({
  invitation,
  onMailed,
}: {
  invitation: Invitation
  onMailed: (email: string) => void
}) {
  return (
    <>
      <p className="mb-5 text-muted">
        You were invited to a workspace on Flamegate. Sign up with the e-mail address that was invited.
      </p>
      <SignUpForm
        invitation={invitation}
        action="Join"
        onDone={(answer) => ('next' in answer ? onMailed(answer.email) : enter(answer.joined_workspace_id))}
      />
      <p className="mt-5 text-muted">
        You have an account?{' '}
        <Link
          to="/log-in"
          // This very page, with whichever of the two it was opened with.
          search={{ return_to: window.location.pathname + window.location.search }}
          className="text-link"
        >
          Log in
        </Link>{' '}
        and join with it.
      </p>
    </>
  )
}

function enter(workspaceId: string | null): void {
  if (workspaceId !== null) chooseWorkspace(workspaceId)
  window.location.assign('/')
}
