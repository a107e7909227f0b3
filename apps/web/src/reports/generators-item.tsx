import { formatShare } from '@flamegate/contract'
import { durationText } from '@flamegate/loadtest/scenario'
import { EventList } from '../bench-results/event-list.tsx'
import { formatMs } from '../charts/format-metric.ts'
import { Caution } from '../components/caution.tsx'
import { DataTable } from '../components/data-table.tsx'
import type { ValuesOf } from './report-source.ts'

interface Props {
  title: string
  values: ValuesOf<'generators'>
}

/** The agents that made the load, whether they were the bottleneck, and what happened to them. */
export function GeneratorsItem({ title, values: { generators, events } }: Props) {
  const limited = generators.filter(({ limited_seconds: seconds }) => seconds > 0)
  return (
    <div className="flex break-inside-avoid flex-col gap-3">
      {limited.length === 0 ? null : (
        <Caution>
          {limited.map(({ name }) => name).join(', ')} could not make the load as it was asked for all of the
          time. What was measured then says more about the agent than about the target.
        </Caution>
      )}
      <DataTable
        label={title}
        rows={generators}
        rowKey={({ slot }) => String(slot)}
        whenEmpty="No agents."
        columns={[
          {
            key: 'name',
            title: 'Agent',
            render: ({ name, agent_group: group }) => (
              <span className="block min-w-24 break-words">
                <span className="font-medium">{name}</span> <span className="text-muted">{group}</span>
              </span>
            ),
          },
          { key: 'state', title: 'State', render: ({ state }) => state.toLowerCase() },
          {
            key: 'users',
            title: 'Users',
            align: 'right',
            render: ({ users_max: users }) => (users === null ? '–' : users.toLocaleString('en')),
          },
          {
            key: 'cpu',
            title: 'CPU, most',
            align: 'right',
            render: ({ cpu_share_max: share }) => (share === null ? '–' : formatShare(share)),
          },
          {
            key: 'lag',
            title: 'Send lag, most',
            align: 'right',
            render: ({ send_lag_max_ms: ms }) => formatMs(ms),
          },
          {
            key: 'delay',
            title: 'Event loop, most',
            align: 'right',
            render: ({ event_loop_delay_max_ms: ms }) => formatMs(ms),
          },
          {
            key: 'limited',
            title: 'At its limit',
            align: 'right',
            render: ({ limited_seconds: seconds }) =>
              seconds === 0 ? 'never' : <span className="text-worse">{durationText(seconds * 1000)}</span>,
          },
        ]}
      />
      {events.length === 0 ? null : <EventList events={events} />}
    </div>
  )
}
