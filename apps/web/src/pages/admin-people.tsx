import { type AnswerOf, operations } from '@flamegate/contract'
import { useDeferredValue, useState } from 'react'
import { useCall } from '../api.ts'
import { actionsColumn } from '../components/actions-column.tsx'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { SearchField } from '../components/search-field.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { usePages } from '../paged.ts'
import { AdminPage } from '../shell/admin-page.tsx'
import { useMe } from '../shell/workspace.ts'

type Person = AnswerOf<typeof operations.listPeople>['people'][number]
/** What is asked about before it is done. */
type Asked = { what: 'disable' | 'let_in' | 'end_sessions' | 'make_admin' | 'end_admin'; person: Person }

/** Everybody with an account. For administrators of the installation. */
export function AdminPeoplePage() {
  return (
    <AdminPage title="People" lead="Everybody with an account here, and who may not log in">
      <People />
    </AdminPage>
  )
}

function People() {
  const [words, setWords] = useState('')
  const [asked, setAsked] = useState<Asked>()
  const search = useDeferredValue(words.trim())
  const { query, more } = usePages(
    operations.listPeople,
    { limit: 50, ...(search === '' ? {} : { search }) },
    ({ people, next_cursor }) => ({ rows: people, nextCursor: next_cursor }),
  )
  return (
    <>
      <SearchField label="Name or e-mail address" value={words} onChange={setWords} className="max-w-sm" />
      <Answer query={query} skeleton={<SkeletonTable rows={8} />}>
        {(people) => (
          <>
            <PeopleTable people={people} onAsk={setAsked} />
            <LoadMore {...more} />
          </>
        )}
      </Answer>
      {asked === undefined ? null : <Asking asked={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function PeopleTable({ people, onAsk }: { people: readonly Person[]; onAsk: (asked: Asked) => void }) {
  const me = useMe().user.id
  return (
    <DataTable
      label="People"
      rows={people}
      rowKey={({ id }) => id}
      stacks
      whenEmpty="Nobody fits."
      columns={[
        {
          key: 'person',
          title: 'Person',
          grow: true,
          render: (person) => (
            <span className="flex min-w-0 flex-wrap items-center gap-x-2">
              <span className="font-medium wrap-anywhere">{person.name}</span>
              <span className="break-all text-muted">{person.email}</span>
              {person.installation_admin ? <Badge tone="accent">administrator</Badge> : null}
              {person.disabled_reason === null ? null : (
                <Badge tone="worse">disabled: {person.disabled_reason}</Badge>
              )}
              {person.email_confirmed_at === null ? <Badge>not confirmed</Badge> : null}
            </span>
          ),
        },
        {
          key: 'workspaces',
          title: 'Workspaces',
          align: 'right',
          hideBelow: 'sm',
          render: ({ workspace_count }) => workspace_count.toLocaleString(),
        },
        {
          key: 'sessions',
          title: 'Browsers',
          align: 'right',
          hideBelow: 'sm',
          render: ({ session_count }) => session_count.toLocaleString(),
        },
        { key: 'since', title: 'Since', render: ({ created_at }) => <When at={created_at} /> },
        actionsColumn((person: Person) => ({
          of: person.name,
          actions: actionsOn(person, person.id === me).map(({ label, what }) => ({
            label,
            onAction: () => onAsk({ what, person }),
          })),
        })),
      ]}
    />
  )
}

function actionsOn(person: Person, isMe: boolean): { label: string; what: Asked['what'] }[] {
  const ending = { label: 'End sessions…', what: 'end_sessions' as const }
  if (isMe) return [ending]
  return [
    ending,
    person.installation_admin
      ? { label: 'End as administrator…', what: 'end_admin' }
      : { label: 'Make administrator…', what: 'make_admin' },
    person.disabled_at === null
      ? { label: 'Disable…', what: 'disable' }
      : { label: 'Let in again…', what: 'let_in' },
  ]
}

function Asking({ asked: { what, person }, onClose }: { asked: Asked; onClose: () => void }) {
  const outdated = [operations.listPeople]
  const disabling = useCall(operations.disablePerson, outdated)
  const ending = useCall(operations.endPersonSessions, outdated)
  const appointing = useCall(operations.setInstallationAdmin, outdated)
  const { id, name, email } = person
  const done = (words: string) => ({
    onSuccess: () => {
      say(words)
      onClose()
    },
  })
  const common = {
    isOpen: true,
    onClose,
    isPending: disabling.isPending || ending.isPending || appointing.isPending,
    error: disabling.error ?? ending.error ?? appointing.error,
  }
  switch (what) {
    case 'disable':
      return (
        <Dialog title={`Disable ${name}?`} isOpen onClose={onClose}>
          <Form
            error={disabling.error}
            fields={['reason']}
            onSubmit={(values) =>
              disabling.mutate(
                { user_id: id, reason: textOf(values, 'reason') || undefined },
                done(`${name} is disabled.`),
              )
            }
          >
            <p className="text-muted">
              {email} cannot log in any more. Sessions and connected apps end at once, and API tokens sleep
              until the account is let in again. What they made stays.
            </p>
            <TextField label="Reason" name="reason" maxLength={300} hint="Shown to other administrators." />
            <FormButtons
              action="Disable"
              variant="danger"
              isDisabled={disabling.isPending}
              onCancel={onClose}
            />
          </Form>
        </Dialog>
      )
    case 'let_in':
      return (
        <ConfirmDialog
          {...common}
          title={`Let ${name} in again?`}
          action="Let in"
          onConfirm={() =>
            disabling.mutate({ user_id: id, disabled: false }, done(`${name} may log in again.`))
          }
        >
          They are members where they were, and their API tokens work again. Apps have to be allowed anew.
        </ConfirmDialog>
      )
    case 'end_sessions':
      return (
        <ConfirmDialog
          {...common}
          title={`End all sessions of ${name}?`}
          action="End"
          onConfirm={() => ending.mutate({ user_id: id }, done(`${name} is logged out everywhere.`))}
        >
          Every browser is logged out, and connected apps have to be allowed anew. API tokens stay.
        </ConfirmDialog>
      )
    default:
      return (
        <ConfirmDialog
          {...common}
          title={what === 'make_admin' ? `Make ${name} an administrator?` : `End ${name} as administrator?`}
          action={what === 'make_admin' ? 'Make administrator' : 'End'}
          onConfirm={() =>
            appointing.mutate(
              { user_id: id, installation_admin: what === 'make_admin' },
              done(what === 'make_admin' ? `${name} is an administrator.` : `${name} is no administrator.`),
            )
          }
        >
          Administrators see everybody and every workspace’s size here, shut people out, and make other
          administrators. They see nothing of what is in a workspace.
        </ConfirmDialog>
      )
  }
}
