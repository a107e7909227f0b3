import { type AnswerOf, formatBytes, operations } from '@flamegate/contract'
import { useDeferredValue, useState } from 'react'
import { ChoosePlan } from '../administration/choose-plan.tsx'
import { useCall } from '../api.ts'
import { actionsColumn } from '../components/actions-column.tsx'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { DataTable } from '../components/data-table.tsx'
import { DeleteByName } from '../components/delete-by-name.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { SearchField } from '../components/search-field.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { usePages } from '../paged.ts'
import { AdminPage } from '../shell/admin-page.tsx'

type Tenant = AnswerOf<typeof operations.listTenants>['tenants'][number]
/** What is asked about a workspace. */
type Chosen = { what: 'deletion' | 'plan'; tenant: Tenant }

/** Every workspace, by its size and not by what is in it. For administrators of the installation. */
export function AdminWorkspacesPage() {
  return (
    <AdminPage title="All workspaces" lead="How much each has; what is in them is for their members">
      <Tenants />
    </AdminPage>
  )
}

function Tenants() {
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState<Chosen>()
  const search = useDeferredValue(words.trim())
  const close = () => setChosen(undefined)
  const { query, more } = usePages(
    operations.listTenants,
    { limit: 50, ...(search === '' ? {} : { search }) },
    ({ tenants, next_cursor }) => ({ rows: tenants, nextCursor: next_cursor }),
  )
  return (
    <>
      <SearchField label="Name or slug" value={words} onChange={setWords} className="max-w-sm" />
      <Answer query={query} skeleton={<SkeletonTable rows={8} />}>
        {(tenants) => (
          <>
            <TenantTable tenants={tenants} onChoose={setChosen} />
            <LoadMore {...more} />
          </>
        )}
      </Answer>
      {chosen?.what === 'deletion' ? <Deletion tenant={chosen.tenant} onClose={close} /> : null}
      {chosen?.what === 'plan' ? <ChoosePlan tenant={chosen.tenant} onClose={close} /> : null}
    </>
  )
}

function TenantTable({
  tenants,
  onChoose,
}: {
  tenants: readonly Tenant[]
  onChoose: (chosen: Chosen) => void
}) {
  return (
    <DataTable
      label="Workspaces"
      rows={tenants}
      rowKey={({ id }) => id}
      stacks
      whenEmpty="No workspace fits."
      columns={[
        {
          key: 'workspace',
          title: 'Workspace',
          grow: true,
          render: (tenant) => (
            <span className="flex min-w-0 flex-wrap items-center gap-x-2">
              <span className="font-medium wrap-anywhere">{tenant.name}</span>
              <code className="break-all text-sm text-muted">{tenant.slug}</code>
              {tenant.deletes_at === null ? null : (
                <Badge tone="worse">
                  goes <When at={tenant.deletes_at} />
                </Badge>
              )}
            </span>
          ),
        },
        { key: 'plan', title: 'Plan', render: ({ plan }) => plan },
        {
          key: 'members',
          title: 'Members',
          align: 'right',
          hideBelow: 'sm',
          render: ({ member_count }) => member_count.toLocaleString(),
        },
        {
          key: 'projects',
          title: 'Projects',
          align: 'right',
          hideBelow: 'sm',
          render: ({ project_count }) => project_count.toLocaleString(),
        },
        {
          key: 'storage',
          title: 'Storage',
          align: 'right',
          render: ({ storage_bytes }) => formatBytes(storage_bytes),
        },
        { key: 'since', title: 'Since', render: ({ created_at }) => <When at={created_at} /> },
        actionsColumn((tenant: Tenant) => ({
          of: tenant.name,
          actions: [
            { label: 'Plan…', onAction: () => onChoose({ what: 'plan', tenant }) },
            {
              label: tenant.deletes_at === null ? 'Delete…' : 'Restore…',
              onAction: () => onChoose({ what: 'deletion', tenant }),
            },
          ],
        })),
      ]}
    />
  )
}

function Deletion({ tenant, onClose }: { tenant: Tenant; onClose: () => void }) {
  const call = useCall(operations.deleteTenant, [operations.listTenants])
  const { id, name } = tenant
  const done = (words: string) => ({
    onSuccess: () => {
      say(words)
      onClose()
    },
  })
  if (tenant.deletes_at !== null) {
    return (
      <ConfirmDialog
        title={`Restore ${name}?`}
        action="Restore"
        isOpen
        isPending={call.isPending}
        error={call.error}
        onClose={onClose}
        onConfirm={() => call.mutate({ workspace_id: id, deleted: false }, done(`${name} stays.`))}
      >
        It is not deleted, and its members may change things again.
      </ConfirmDialog>
    )
  }
  return (
    <DeleteByName
      name={name}
      error={call.error}
      isPending={call.isPending}
      onClose={onClose}
      onDelete={(confirm) => call.mutate({ workspace_id: id, confirm }, done(`${name} goes in 14 days.`))}
    />
  )
}
