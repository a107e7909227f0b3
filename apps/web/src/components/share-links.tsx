import { type AnswerOf, type Operation, operations } from '@flamegate/contract'
import { useState } from 'react'
import { ItemList } from '../account/item-list.tsx'
import { useCall } from '../api.ts'
import { Button } from './button.tsx'
import { CopyField } from './copy-field.tsx'
import { Form } from './form.tsx'
import { ProblemNote } from './problem-note.tsx'
import { Select } from './select.tsx'
import { When } from './when.tsx'

type ShareLink = AnswerOf<typeof operations.listShareLinks>['share_links'][number]

const readers = [
  { id: 'members', label: 'Members of the workspace' },
  { id: 'public', label: 'Whoever has the link, without an account' },
]

const lifetimes = [
  { id: '1', label: 'A day' },
  { id: '7', label: '7 days' },
  { id: '30', label: '30 days' },
]

interface NewLinkProps {
  call: {
    data: { share_link: ShareLink; viewer_url: string } | undefined
    error: Error | null
    isPending: boolean
  }
  /** What whoever has it can read all of. */
  what: 'profile' | 'report'
  onCreate: (link: { public: boolean; expires_in_days: number }) => void
}

/** For whom a new link is, and how long; then the link, once. */
export function NewLinkForm({ call, what, onCreate }: NewLinkProps) {
  const [reader, setReader] = useState('members')
  const [days, setDays] = useState('7')
  return (
    <Form
      error={call.error}
      fields={['public', 'expires_in_days']}
      onSubmit={() => onCreate({ public: reader === 'public', expires_in_days: Number(days) })}
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
              It is not shown again. Whoever has it can read the whole {what}, until it expires, you take it
              back, or lose access yourself.
            </p>
          ) : null}
        </div>
      )}
    </Form>
  )
}

interface LinkListProps {
  label: string
  links: readonly ShareLink[]
  /** The listing of them. */
  outdates: readonly Pick<Operation, 'id'>[]
}

/** The links that there are, each with the way to take it back. */
export function LinkList({ label, links, outdates }: LinkListProps) {
  const call = useCall(operations.closeProfileViewer, outdates)
  return (
    <>
      <ItemList
        label={label}
        items={links.map((link) => ({
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
      {call.error === null ? null : <ProblemNote error={call.error} isBrief />}
    </>
  )
}
