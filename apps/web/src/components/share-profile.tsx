import { operations, type RawInputOf, roleAtLeast } from '@flamegate/contract'
import { useState } from 'react'
import { ItemList } from '../account/item-list.tsx'
import { useAnswer, useCall } from '../api.ts'
import { useWorkspace } from '../shell/workspace.ts'
import { Button } from './button.tsx'
import { CopyField } from './copy-field.tsx'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'
import { Select } from './select.tsx'
import { When } from './when.tsx'

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

const readers = [
  { id: 'members', label: 'Members of the workspace' },
  { id: 'public', label: 'Whoever has the link, without an account' },
]

const lifetimes = [
  { id: '1', label: 'A day' },
  { id: '7', label: '7 days' },
  { id: '30', label: '30 days' },
]

function NewLink({ profileId, view }: Props) {
  const [reader, setReader] = useState('members')
  const [days, setDays] = useState('7')
  const call = useCall(operations.openProfileViewer, [operations.listShareLinks])
  return (
    <Form
      error={call.error}
      fields={['public', 'expires_in_days']}
      onSubmit={() =>
        call.mutate({
          profile_id: profileId,
          ...view,
          public: reader === 'public',
          expires_in_days: Number(days),
        })
      }
    >
      <Select label="For" name="public" choices={readers} value={reader} onChange={setReader} />
      <Select label="Works for" name="expires_in_days" choices={lifetimes} value={days} onChange={setDays} />
      <Button type="submit" variant="primary" isDisabled={call.isPending} className="self-end">
        Create link
      </Button>
      {call.data === undefined ? null : (
        <div className="flex flex-col gap-1">
          <CopyField label="Link" value={call.data.viewer_url} />
          {call.data.share_link.public ? (
            <p className="text-sm text-muted">
              It is not shown again. Whoever has it can read the whole profile, until it expires, you take it
              back, or lose access yourself.
            </p>
          ) : null}
        </div>
      )}
    </Form>
  )
}

function Links({ profileId }: { profileId: string }) {
  const query = useAnswer(operations.listShareLinks, { profile_id: profileId })
  const call = useCall(operations.closeProfileViewer, [operations.listShareLinks])
  return (
    <ItemList
      label="Links to this profile"
      items={(query.data?.share_links ?? []).map((link) => ({
        id: link.id,
        title: link.public ? 'Public link' : 'Link for members',
        detail: (
          <>
            Made <When at={link.created_at} />, ends <When at={link.expires_at} />
          </>
        ),
        action: (
          <Button
            isDisabled={call.isPending}
            aria-label={`Take back: ${link.id}`}
            onPress={() => call.mutate({ share_link_id: link.id })}
          >
            Take back
          </Button>
        ),
      }))}
    />
  )
}
