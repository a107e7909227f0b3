import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { undoEmailChange } from '../accounts.ts'
import { Button } from '../components/button.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { BarePage } from '../shell/bare-page.tsx'
import { IncompleteLinkPage } from '../shell/incomplete-link-page.tsx'

const route = getRouteApi('/undo-email-change')

/** Where the link to a former address leads, for when it was not its owner who changed it. */
export function UndoEmailChangePage() {
  const { token } = route.useSearch()
  const call = useMutation({
    mutationFn: undoEmailChange,
    onSuccess: ({ redirect_to: address }) => window.location.assign(address),
  })
  if (token === undefined) return <IncompleteLinkPage from="the mail" />
  return (
    <BarePage title="Take your account back">
      <div className="flex flex-col gap-4">
        <p className="text-muted">
          Your account gets this address back. Everybody is logged out, what was added to the account since
          then is removed, and you choose a new password.
        </p>
        {call.error === null ? null : <ProblemNote error={call.error} isBrief />}
        <Button
          variant="primary"
          isDisabled={call.isPending || call.isSuccess}
          onPress={() => call.mutate(token)}
        >
          Take it back
        </Button>
      </div>
    </BarePage>
  )
}
