import { operations } from '@flamegate/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMayInProject } from '../shell/project-role.ts'
import { ConfirmCall } from './confirm-call.tsx'
import { MoreActions } from './more-actions.tsx'
import type { Profile } from './profile-table.tsx'
import { say } from './toasts.tsx'

/** A button that removes a profile for good, for those who may. */
export function DeleteProfile({ profile }: { profile: Profile }) {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  if (!useMayInProject(profile.project_id, 'member')) return null
  return (
    <>
      <MoreActions
        of={profile.name}
        actions={[{ label: 'Delete profile…', onAction: () => setOpen(true) }]}
      />
      {isOpen ? (
        <ConfirmCall
          title="Delete this profile?"
          action="Delete for good"
          operation={operations.deleteProfile}
          input={{ profile_id: profile.id }}
          outdates={[operations.listProfiles]}
          onDone={({ project_id }) => {
            say('The profile is deleted.')
            void navigate({ to: '/projects/$projectId/profiles', params: { projectId: project_id } })
          }}
          onClose={() => setOpen(false)}
        >
          {profile.name} and its file are removed for good.
        </ConfirmCall>
      ) : null}
    </>
  )
}
