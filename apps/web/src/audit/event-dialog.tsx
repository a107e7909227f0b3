import { formatBytes } from '@flamegate/contract'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Facts } from '../components/facts.tsx'
import { Outcome } from './event-table.tsx'
import type { AuditEvent, Filters } from './filters.ts'

interface Props {
  event: AuditEvent
  onClose: () => void
  /** Narrows the log to what is like this event. */
  onNarrow: (filters: Filters) => void
}

const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'medium' })

const ways: Readonly<Record<string, string>> = {
  call_tool: 'call_tool',
  session: 'logged in here',
  oauth: 'connected app',
  api_token: 'API token',
  scim: 'identity provider',
}

/** All that is known of one call, and the ways to more like it. */
export function EventDialog({ event, onClose, onNarrow }: Props) {
  const alike: { label: string; filters: Filters }[] = [
    { label: 'Same operation', filters: { operation: event.operation } },
    { label: 'Same person', filters: { user: event.user_email ?? event.user_id } },
    { label: 'Same client', filters: { client: event.client_id } },
    ...(event.target === null ? [] : [{ label: 'Same thing', filters: { target: event.target } }]),
    ...(event.outcome === 'ok' ? [] : [{ label: 'Same outcome', filters: { outcome: event.outcome } }]),
  ]
  return (
    <Dialog title={event.operation} isOpen onClose={onClose}>
      <Facts
        entries={{
          When: exactly.format(new Date(event.at)),
          Who: event.user_email ?? event.user_id,
          Through: `${event.client_name} (${ways[event.via] ?? event.via})`,
          Client: <Id>{event.client_id}</Id>,
          Effect: event.effect,
          Decision: event.decision.replaceAll('_', ' '),
          Outcome: <Outcome event={event} />,
          Status: event.status,
          On: event.target === null ? null : <Id>{event.target}</Id>,
          Took: `${event.duration_ms.toFixed(1)} ms`,
          Answer: event.answer_bytes === 0 ? null : formatBytes(event.answer_bytes),
          Request: <Id>{event.request_id}</Id>,
          Trace: event.trace_id === null ? null : <Id>{event.trace_id}</Id>,
          Event: <Id>{event.id}</Id>,
          Arguments: event.arguments_digest === null ? null : <Id>{event.arguments_digest.slice(0, 16)}…</Id>,
        }}
      />
      <div className="flex flex-wrap gap-2 border-t border-line pt-4">
        {alike.map(({ label, filters }) => (
          <Button key={label} onPress={() => onNarrow(filters)}>
            {label}
          </Button>
        ))}
      </div>
    </Dialog>
  )
}

function Id({ children }: { children: React.ReactNode }) {
  return <code className="break-all">{children}</code>
}
