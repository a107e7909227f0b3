import { operations, roleAtLeast } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { EventDialog } from '../audit/event-dialog.tsx'
import { EventTable } from '../audit/event-table.tsx'
import { ExportButton } from '../audit/export-button.tsx'
import { FilterBar } from '../audit/filter-bar.tsx'
import { filterInput, type AuditEvent, type Filters } from '../audit/filters.ts'
import { Answer } from '../components/answer.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { usePages } from '../paged.ts'
import { WorkspacePage } from '../shell/page.tsx'
import { useMe } from '../shell/workspace.ts'

const route = getRouteApi('/app/workspaces/$workspaceId/audit')

/** Who did what in a workspace. For admins. */
export function AuditLogPage() {
  const { workspaceId } = route.useParams()
  const filters = route.useSearch()
  const role = useMe().workspaces.find(({ id }) => id === workspaceId)?.role
  const isAdmin = role === undefined || roleAtLeast(role, 'admin')
  return (
    <WorkspacePage
      workspaceId={workspaceId}
      title="Audit log"
      lead="Every call by a person, an agent or a token, with its outcome; only collectors’ polls and reports without news are left out"
      actions={
        isAdmin ? (
          <>
            <ExportButton workspaceId={workspaceId} filters={filters} format="csv" />
            <ExportButton workspaceId={workspaceId} filters={filters} format="ndjson" />
          </>
        ) : undefined
      }
    >
      {isAdmin ? (
        <Events workspaceId={workspaceId} filters={filters} />
      ) : (
        <EmptyState title="The audit log is for admins">
          <p>You are {role} in this workspace. An owner or admin can change that.</p>
        </EmptyState>
      )}
    </WorkspacePage>
  )
}

function Events({ workspaceId, filters }: { workspaceId: string; filters: Filters }) {
  const navigate = route.useNavigate()
  const [chosen, setChosen] = useState<AuditEvent>()
  const { query, more } = usePages(
    operations.searchAuditLog,
    { workspace_id: workspaceId, limit: 50, ...filterInput(useDeferredValue(filters)) },
    ({ events, next_cursor }) => ({ rows: events, nextCursor: next_cursor }),
  )
  // Typing is one step back, not one for each letter.
  const narrow = (change: Filters, isStep: boolean) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: !isStep })
  return (
    <>
      <FilterBar workspaceId={workspaceId} filters={filters} onChange={(change) => narrow(change, false)} />
      <Answer query={query} skeleton={<SkeletonTable rows={12} />}>
        {(events) => (
          <>
            <EventTable events={events} onChoose={setChosen} />
            <LoadMore {...more} />
          </>
        )}
      </Answer>
      {chosen === undefined ? null : (
        <EventDialog
          event={chosen}
          onClose={() => setChosen(undefined)}
          onNarrow={(change) => {
            setChosen(undefined)
            narrow(change, true)
          }}
        />
      )}
    </>
  )
}
