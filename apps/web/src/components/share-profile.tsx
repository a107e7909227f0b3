import { operations, type RawInputOf, roleAtLeast } from '@flamegate/contract'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { useWorkspace } from '../shell/workspace.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { LinkList, NewLinkForm } from './share-links.tsx'

type SharedView = Omit<
  RawInputOf<typeof operations.openProfileViewer>,
  'profile_id' | 'public' | 'expires_in_days'
>

interface Props {
  profileId: string
  /** What the page shows, which is what a new link leads to. */
  view: SharedView
}

/** A button that makes links to what the page shows of a profile, and takes them back, for those who may. */
export function ShareProfile({ profileId, view }: Props) {
  const [isOpen, setOpen] = useState(false)
  const workspace = useWorkspace()
  if (workspace === undefined || !roleAtLeast(workspace.role, 'member')) return null
  return (
    <>
      <Button onPress={() => setOpen(true)}>Share</Button>
      <Dialog title="Share this view" isOpen={isOpen} onClose={() => setOpen(false)}>
        <NewLink profileId={profileId} view={view} />
        <Links profileId={profileId} />
      </Dialog>
    </>
  )
}

function NewLink({ profileId, view }: Props) {
  const call = useCall(operations.openProfileViewer, [operations.listShareLinks])
  return (
    <NewLinkForm
      call={call}
      what="profile"
      onCreate={(link) => call.mutate({ profile_id: profileId, ...view, ...link })}
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
