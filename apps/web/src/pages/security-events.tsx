import { describeBrowser, operations } from '@flamegate/contract'
import { useDeferredValue, useState } from 'react'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { DataTable } from '../components/data-table.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { SearchField } from '../components/search-field.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { When } from '../components/when.tsx'
import { usePages } from '../paged.ts'
import { actionWords, outcomeWords, type SecurityEvent } from '../security/words.ts'
import { AdminPage } from '../shell/admin-page.tsx'

/** Who logged in, or tried to, and what people allowed to whom. For administrators of the installation. */
export function SecurityEventsPage() {
  return (
    <AdminPage title="Security events" lead="Log-ins, changes to accounts, and what people allowed to apps">
      <Events />
    </AdminPage>
  )
}

function Events() {
  const [words, setWords] = useState('')
  const user = useDeferredValue(words.trim())
  const { query, more } = usePages(
    operations.listSecurityEvents,
    { everybody: true, limit: 50, ...(user === '' ? {} : { user }) },
    ({ security_events, next_cursor }) => ({ rows: security_events, nextCursor: next_cursor }),
  )
  return (
    <>
      <SearchField
        label="E-mail address or id of a person"
        value={words}
        onChange={setWords}
        className="max-w-sm"
      />
      <Answer query={query} skeleton={<SkeletonTable rows={8} />}>
        {(events) => (
          <>
            <EventTable events={events} />
            <LoadMore {...more} />
          </>
        )}
      </Answer>
    </>
  )
}

function EventTable({ events }: { events: readonly SecurityEvent[] }) {
  return (
    <DataTable
      label="Security events"
      rows={events}
      rowKey={({ id }) => id}
      stacks
      whenEmpty="Nothing was recorded that fits."
      columns={[
        {
          key: 'what',
          title: 'What',
          grow: true,
          render: ({ action, outcome }) => (
            <span className="flex flex-wrap items-center gap-2">
              {actionWords(action)}
              {outcome === 'ok' ? null : <Badge tone="caution">{outcomeWords(outcome)}</Badge>}
            </span>
          ),
        },
        {
          key: 'who',
          title: 'Who',
          render: ({ user_email, user_id }) => user_email ?? user_id ?? 'not known',
        },
        {
          key: 'client',
          title: 'Through',
          hideBelow: 'lg',
          render: ({ client_id, client_name, user_agent }) =>
            client_id === 'web' && user_agent !== null ? describeBrowser(user_agent) : client_name,
        },
        { key: 'ip', title: 'From', render: ({ ip }) => ip },
        { key: 'at', title: 'When', render: ({ at }) => <When at={at} /> },
      ]}
    />
  )
}
