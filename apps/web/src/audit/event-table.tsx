import { Badge } from '../components/badge.tsx'
import { DataTable } from '../components/data-table.tsx'
import { When } from '../components/when.tsx'
import type { AuditEvent } from './filters.ts'

/** Events, newest first. Pressing one shows all that is known of it. */
export function EventTable({
  events,
  onChoose,
}: {
  events: readonly AuditEvent[]
  onChoose: (event: AuditEvent) => void
}) {
  return (
    <DataTable
      label="Audit log"
      rows={events}
      rowKey={({ id }) => id}
      whenEmpty="Nothing was recorded that fits."
      columns={[
        { key: 'when', title: 'When', render: ({ at }) => <When at={at} /> },
        {
          key: 'operation',
          title: 'Operation',
          render: (event) => (
            <button type="button" onClick={() => onChoose(event)} className="row-link text-left">
              <code className="max-sm:wrap-anywhere">{event.operation}</code>
            </button>
          ),
        },
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
        { key: 'outcome', title: 'Outcome', render: (event) => <Outcome event={event} /> },
        {
          key: 'duration',
          title: 'ms',
          align: 'right',
          hideBelow: 'lg',
          render: (event) => Math.round(event.duration_ms).toLocaleString(),
        },
      ]}
    />
  )
}

/** Refusals stand out from what merely went wrong. */
export function Outcome({ event: { decision, outcome } }: { event: AuditEvent }) {
  if (outcome === 'ok') return 'ok'
  return <Badge tone={decision === 'refused' ? 'worse' : 'caution'}>{outcome.replaceAll('_', ' ')}</Badge>
}
