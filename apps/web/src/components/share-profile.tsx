import { operations, type RawInputOf } from '@flamegate/contract'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { useMayInProject } from '../shell/project-role.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { LinkList, NewLinkForm } from './share-links.tsx'

type SharedView = Omit<
  RawInputOf<typeof operations.openProfileViewer>,
  'profile_id' | 'public' | 'expires_in_days'
>

interface Props {
  profile: { id: string; project_id: string }
  /** What the page shows, which is what a new link leads to. */
  view: SharedView
}

/** A button that makes links to what the page shows of a profile, and takes them back, for those who may. */
export function ShareProfile({ profile, view }: Props) {
  const [isOpen, setOpen] = useState(false)
  if (!useMayInProject(profile.project_id, 'member')) return null
  return (
    <>
      <Button onPress={() => setOpen(true)}>Share</Button>
      <Dialog title="Share this view" isOpen={isOpen} onClose={() => setOpen(false)}>
        <NewLink profile={profile} view={view} />
        <Links profileId={profile.id} />
      </Dialog>
    </>
  )
}

function NewLink({ profile, view }: Props) {
  const call = useCall(operations.openProfileViewer, [operations.listShareLinks])
  return (
    <NewLinkForm
      call={call}
      what="profile"
      onCreate={(link) => call.mutate({ profile_id: profile.id, ...view, ...link })}
    />
  )
}

function Links({ profileId }: { profileId: string }) {
  const query = useAnswer(operations.listShareLinks, { profile_id: profileId })
  return (
    <LinkList
      label="Links to this profile"
      links={query.data?.share_links ?? []}
      outdates={[operations.listShareLinks]}
    />
  )
}
