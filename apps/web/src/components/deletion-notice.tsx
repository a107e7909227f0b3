import { operations } from '@flamegate/contract'
import { useAnswer, useCall } from '../api.ts'
import { problemWords } from '../problem-words.ts'
import { useMe } from '../shell/workspace.ts'
import { Button } from './button.tsx'
import { Caution } from './caution.tsx'
import { say } from './toasts.tsx'

/** Says that a workspace is going to be deleted, and lets its owners call that off. */
export function DeletionNotice({ workspaceId }: { workspaceId: string | undefined }) {
  const { user, workspaces } = useMe()
  const workspace = workspaces.find(({ id }) => id === workspaceId)
  // Everybody is a viewer there until then: who is an owner, only the list of members still tells.
  const members = useAnswer(
    operations.listWorkspaceMembers,
    { workspace_id: workspaceId ?? '' },
    { enabled: workspace !== undefined && workspace.deletes_at !== null },
  ).data?.members
  const call = useCall(operations.restoreWorkspace, [operations.getCurrentUser, operations.listWorkspaces])
  if (workspace === undefined || workspace.deletes_at === null) return null
  const { id, name, deletes_at } = workspace
  const isOwner = members?.some(({ email, role }) => role === 'owner' && email === user.email)
  return (
    <output className="flex flex-wrap items-center justify-between gap-3">
      <Caution>
        {name} is deleted on {new Date(deletes_at).toLocaleDateString(undefined, { dateStyle: 'long' })}.
        Until then it can be read, and nobody changes anything in it.
        {isOwner === false ? ' An owner can restore it.' : null}
      </Caution>
      {isOwner === true ? (
        <Button
          isDisabled={call.isPending}
          onPress={() =>
            call.mutate(
              { workspace_id: id },
              {
                onSuccess: () => say(`${name} stays.`),
                onError: (error) => say(problemWords(error).detail),
              },
            )
          }
        >
          Restore
        </Button>
      ) : null}
    </output>
  )
}
