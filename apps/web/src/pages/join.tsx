import { getRouteApi, Link } from '@tanstack/react-router'
import { SignUpForm } from '../components/sign-up-form.tsx'
import { chooseWorkspace } from '../shell/workspace.ts'
import { BarePage } from '../shell/bare-page.tsx'

const route = getRouteApi('/join')

/** Where an invitation's link leads: sign up, and be a member of the workspace that invited. */
export function JoinPage() {
  const { token } = route.useSearch()
  if (token === undefined) {
    return (
      <BarePage title="This link is not complete">
        <p className="text-muted">Open the whole link from your invitation, or ask for a new one.</p>
      </BarePage>
    )
  }
  return (
    <BarePage title="Join a workspace">
      <p className="mb-5 text-muted">
        You were invited to a workspace on Flamegate. Sign up with the e-mail address that was invited.
      </p>
      <SignUpForm
        invitation={token}
        action="Join"
        onDone={({ joined_workspace_id }) => {
          if (joined_workspace_id !== null) chooseWorkspace(joined_workspace_id)
          window.location.assign('/')
        }}
      />
      <p className="mt-5 text-muted">
        You have an account?{' '}
        <Link to="/log-in" className="text-link">
          Log in
        </Link>{' '}
        and ask an admin to add you by your e-mail address.
      </p>
    </BarePage>
  )
}
