import { type AnswerOf, operations } from '@flamegate/contract'
import { useDeferredValue, useState } from 'react'
import { useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { MoreActions } from '../components/more-actions.tsx'
import { SearchField } from '../components/search-field.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { TextField } from '../components/text-field.tsx'
import { When } from '../components/when.tsx'
import { usePages } from '../paged.ts'
import { AdminPage } from '../shell/admin-page.tsx'

type OAuthClient = AnswerOf<typeof operations.listOauthClients>['oauth_clients'][number]

const kinds: Record<OAuthClient['kind'], string> = {
  registered: 'registered itself',
  document: 'metadata document',
  machine: 'API token',
}

/** Every agent and app that ever came to this installation. For its administrators. */
export function OAuthClientsPage() {
  return (
    <AdminPage
      title="OAuth clients"
      lead="Every agent and app that registered here or logged somebody in"
      actions={<DeleteUnused />}
    >
      <Clients />
    </AdminPage>
  )
}

function Clients() {
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState<OAuthClient>()
  const search = useDeferredValue(words.trim())
  const { query, more } = usePages(
    operations.listOauthClients,
    { limit: 50, ...(search === '' ? {} : { search }) },
    ({ oauth_clients, next_cursor }) => ({ rows: oauth_clients, nextCursor: next_cursor }),
  )
  return (
    <>
      <SearchField label="Name, id or host" value={words} onChange={setWords} className="max-w-sm" />
      <Answer query={query} skeleton={<SkeletonTable rows={8} />}>
        {(clients) => (
          <>
            <ClientTable clients={clients} onChoose={setChosen} />
            <LoadMore {...more} />
          </>
        )}
      </Answer>
      {chosen === undefined ? null : <BlockDialog client={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

interface ClientTableProps {
  clients: readonly OAuthClient[]
  onChoose: (client: OAuthClient) => void
}

function ClientTable({ clients, onChoose }: ClientTableProps) {
  return (
    <DataTable
      label="OAuth clients"
      rows={clients}
      rowKey={({ client_id }) => client_id}
      whenEmpty="No client fits."
      columns={[
        {
          key: 'client',
          title: 'Client',
          grow: true,
          render: (client) => (
            <span className="flex min-w-0 flex-col">
              <span className="flex min-w-0 items-center gap-2">
                <span className="truncate font-medium">{client.name}</span>
                {client.blocked_at === null ? null : <Badge tone="worse">blocked</Badge>}
              </span>
              <code className="truncate text-sm text-muted" title={client.client_id}>
                {client.client_id}
              </code>
            </span>
          ),
        },
        {
          key: 'kind',
          title: 'Came as',
          hideBelow: 'lg',
          render: ({ kind }) => <span className="whitespace-nowrap">{kinds[kind]}</span>,
        },
        {
          key: 'hosts',
          title: 'Goes to',
          hideBelow: 'lg',
          render: ({ redirect_hosts }) => (
            <span className="block max-w-56 truncate">{redirect_hosts.join(', ')}</span>
          ),
        },
        {
          key: 'seen',
          title: 'First seen',
          hideBelow: 'lg',
          render: ({ first_seen_at }) => <When at={first_seen_at} />,
        },
        {
          key: 'used',
          title: 'Last used',
          hideBelow: 'sm',
          render: ({ last_used_at }) => (last_used_at === null ? 'never' : <When at={last_used_at} />),
        },
        {
          key: 'grants',
          title: 'Grants',
          align: 'right',
          hideBelow: 'sm',
          render: ({ grant_count }) => grant_count.toLocaleString(),
        },
        {
          key: 'more',
          title: '',
          align: 'right',
          render: (client) => (
            <MoreActions
              of={client.name}
              actions={[
                {
                  label: client.blocked_at === null ? 'Block' : 'Let in again',
                  onAction: () => onChoose(client),
                },
              ]}
            />
          ),
        },
      ]}
    />
  )
}

function BlockDialog({ client, onClose }: { client: OAuthClient; onClose: () => void }) {
  const call = useCall(operations.blockOauthClient, [operations.listOauthClients])
  const { client_id, name, grant_count } = client
  if (client.blocked_at !== null) {
    return (
      <ConfirmDialog
        title={`Let ${name} in again?`}
        action="Let in"
        isOpen
        isPending={call.isPending}
        error={call.error}
        onConfirm={() => call.mutate({ client_id, blocked: false }, { onSuccess: onClose })}
        onClose={onClose}
      >
        <p>It was blocked because: {client.block_reason}</p>
        <p>People have to allow it anew.</p>
      </ConfirmDialog>
    )
  }
  return (
    <Dialog title={`Block ${name}?`} isOpen onClose={onClose}>
      <Form
        error={call.error}
        fields={['reason']}
        onSubmit={(values) =>
          call.mutate({ client_id, reason: textOf(values, 'reason') || undefined }, { onSuccess: onClose })
        }
      >
        <p className="text-muted">
          {grant_count === 0
            ? 'Nobody has allowed it now, and nobody will be able to.'
            : `${grant_count.toLocaleString()} ${grant_count === 1 ? 'grant ends' : 'grants end'} within a second, and nobody can allow it any more.`}
        </p>
        <TextField label="Reason" name="reason" maxLength={300} hint="Shown to whoever wants to use it." />
        <FormButtons action="Block" variant="danger" isDisabled={call.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

/** Looks first what would go, and asks. */
function DeleteUnused() {
  const [isOpen, setOpen] = useState(false)
  const trial = useCall(operations.deleteUnusedOauthClients, [])
  const call = useCall(operations.deleteUnusedOauthClients, [operations.listOauthClients])
  const close = () => setOpen(false)
  const names = trial.data?.deleted.map(({ name }) => name) ?? []
  return (
    <>
      <Button
        onPress={() => {
          setOpen(true)
          trial.mutate({ dry_run: true })
        }}
      >
        Delete unused
      </Button>
      <ConfirmDialog
        title="Delete clients that nobody used for 30 days?"
        action={trial.data === undefined ? 'Delete' : `Delete ${names.length}`}
        isOpen={isOpen}
        isPending={call.isPending || names.length === 0}
        error={trial.error ?? call.error}
        onConfirm={() => call.mutate({}, { onSuccess: close })}
        onClose={close}
      >
        {trial.data === undefined ? (
          <p>Looking which ones these are …</p>
        ) : names.length === 0 ? (
          <p>There are none.</p>
        ) : (
          <p>
            {names.slice(0, 12).join(', ')}
            {names.length > 12 ? ` and ${names.length - 12} more` : ''}. They may register again.
          </p>
        )}
      </ConfirmDialog>
    </>
  )
}
