import { actionsColumn } from '../components/actions-column.tsx'
import { DataTable } from '../components/data-table.tsx'
import { When } from '../components/when.tsx'
import { type Monitor, monitorTypes, thresholdDrafts, wordOf } from './monitor-draft.ts'
import { ReachableBadge } from './reachable-badge.tsx'

interface Props {
  rows: readonly Monitor[]
  mayChange: boolean
  onAct: (what: 'change' | 'delete' | 'check' | 'counters', monitor: Monitor) => void
}

/** Monitors of a project: what they connect to, and how that went last. */
export function MonitorTable({ rows, mayChange, onAct }: Props) {
  return (
    <DataTable
      label="Monitors"
      rows={rows}
      rowKey={({ id }) => id}
      stacks
      whenEmpty=""
      columns={[
        {
          key: 'name',
          title: 'Name',
          render: ({ name, type, document }) => (
            <span className="block min-w-0">
              <span className="block truncate font-medium">{name}</span>
              <span className="block truncate text-sm text-muted">
                {monitorTypes.find(({ id }) => id === type)?.label ?? type}
                {document['enabled'] === false ? ', off' : ''}
              </span>
            </span>
          ),
        },
        {
          key: 'place',
          title: 'Where',
          grow: true,
          render: ({ document }) => (
            <span className="block min-w-0 text-sm">
              <span className="block truncate">{addressOf(document)}</span>
              <span className="block truncate text-muted">
                group {wordOf(document['agent_group'])}, every {wordOf(document['interval_seconds'])} s
              </span>
            </span>
          ),
        },
        {
          key: 'thresholds',
          title: 'Thresholds',
          hideBelow: 'lg',
          render: ({ document }) => (
            <span className="text-sm">
              {thresholdDrafts(document)
                .map(({ name }) => name)
                .join(', ')}
            </span>
          ),
        },
        {
          key: 'seen',
          title: 'Seen',
          render: ({ is_reachable: isReachable, message, agent, seen_at: seenAt }) => (
            <span className="block min-w-0">
              <ReachableBadge isReachable={isReachable} />
              {seenAt === null ? null : (
                <span className="block max-w-72 truncate text-sm text-muted" title={message}>
                  <When at={seenAt} /> by {agent}: {message}
                </span>
              )}
            </span>
          ),
        },
        actionsColumn((monitor: Monitor) => ({
          of: monitor.name,
          actions: [
            { label: 'Counters…', onAction: () => onAct('counters', monitor) },
            ...(mayChange
              ? [
                  { label: 'Check…', onAction: () => onAct('check', monitor) },
                  { label: 'Change…', onAction: () => onAct('change', monitor) },
                  { label: 'Delete…', onAction: () => onAct('delete', monitor) },
                ]
              : []),
          ],
        })),
      ]}
    />
  )
}

function addressOf(document: Monitor['document']): string {
  const url = wordOf(document['target_url'])
  if (url !== '') return url
  if (document['type'] === 'otlp') return `http://127.0.0.1:${wordOf(document['port'])}/v1/metrics`
  return document['type'] === 'linux'
    ? 'the machine of the agent'
    : `${wordOf(document['host'])}:${wordOf(document['port'])}`
}
