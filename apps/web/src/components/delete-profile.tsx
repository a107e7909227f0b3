import { operations, roleAtLeast } from '@flamegate/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { useWorkspace } from '../shell/workspace.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { MoreActions } from './more-actions.tsx'
import type { Profile } from './profile-table.tsx'
import { say } from './toasts.tsx'

/** A button that removes a profile for good, for those who may. */
export function DeleteProfile({ profile }: { profile: Profile }) {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  const workspace = useWorkspace()
  const call = useCall(operations.deleteProfile, [operations.listProfiles])
  if (workspace === undefined || !roleAtLeast(workspace.role, 'member')) return null
  const confirm = () =>
    call.mutate(
      { profile_id: profile.id },
      {
        onSuccess: ({ project_id }) => {
          say('The profile is deleted.')
          void navigate({ to: '/projects/$projectId/profiles', params: { projectId: project_id } })
        },
      },
    )
  return (
    <>
      <MoreActions
        of={profile.name}
        actions={[{ label: 'Delete profile…', onAction: () => setOpen(true) }]}
      />
      <ConfirmDialog
        title="Delete this profile?"
        action="Delete for good"
        isOpen={isOpen}
        isPending={call.isPending}
        error={call.error}
        onConfirm={confirm}
        onClose={() => setOpen(false)}
      >
        {profile.name} and its file are removed for good.
      </ConfirmDialog>
    </>
  )
}
