import { operations, roleAtLeast } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { SearchField } from '../components/search-field.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { When } from '../components/when.tsx'
import { usePages } from '../paged.ts'
import { WorkspacePage } from '../shell/page.tsx'
import { useMe } from '../shell/workspace.ts'

const route = getRouteApi('/app/workspaces/$workspaceId/audit')

/** Who did what in a workspace. For admins. */
export function AuditLogPage() {
  const { workspaceId } = route.useParams()
  const role = useMe().workspaces.find(({ id }) => id === workspaceId)?.role
  return (
    <WorkspacePage
      workspaceId={workspaceId}
      title="Audit log"
      lead="Every call by a person, an agent or a token, with its outcome"
    >
      {role !== undefined && !roleAtLeast(role, 'admin') ? (
        <EmptyState title="The audit log is for admins">
          <p>You are {role} in this workspace. An owner or admin can change that.</p>
        </EmptyState>
      ) : (
        <Events workspaceId={workspaceId} />
      )}
    </WorkspacePage>
  )
}

function Events({ workspaceId }: { workspaceId: string }) {
  const [words, setWords] = useState('')
  const operation = useDeferredValue(words.trim())
  const { query, more } = usePages(
    operations.searchAuditLog,
    { workspace_id: workspaceId, limit: 50, ...(operation === '' ? {} : { operation }) },
    ({ events, next_cursor }) => ({ rows: events, nextCursor: next_cursor }),
  )
  return (
    <>
      <SearchField
        label="Only one operation, such as compare_runs"
        value={words}
        onChange={setWords}
        className="max-w-sm"
      />
      <Answer query={query} skeleton={<SkeletonTable rows={12} />}>
        {(events) => (
          <>
            <DataTable
              label="Audit log"
              rows={events}
              rowKey={({ id }) => id}
              whenEmpty="Nothing was recorded that fits."
              columns={[
                { key: 'when', title: 'When', render: ({ at }) => <When at={at} /> },
                { key: 'operation', title: 'Operation', render: (event) => <code>{event.operation}</code> },
                {
                  key: 'who',
                  title: 'Who',
                  hideBelow: 'sm',
                  render: (event) => (
                    <span className="block max-w-56 truncate">{event.user_email ?? event.user_id}</span>
                  ),
                },
                {
                  key: 'client',
                  title: 'Through',
                  hideBelow: 'sm',
                  render: (event) => (
                    <span className="block max-w-40 truncate" title={`${event.via}: ${event.client_id}`}>
                      {event.client_name}
                    </span>
                  ),
                },
                {
                  key: 'target',
                  title: 'On',
                  grow: true,
                  hideBelow: 'lg',
                  render: ({ target }) => <code className="block truncate text-muted">{target}</code>,
                },
                {
                  key: 'outcome',
                  title: 'Outcome',
                  render: ({ outcome }) =>
                    outcome === 'ok' ? 'ok' : <Badge tone="worse">{outcome.replaceAll('_', ' ')}</Badge>,
                },
                {
                  key: 'duration',
                  title: 'ms',
                  align: 'right',
                  hideBelow: 'lg',
                  render: (event) => Math.round(event.duration_ms).toLocaleString(),
                },
              ]}
            />
            <LoadMore {...more} />
          </>
        )}
      </Answer>
    </>
  )
}
