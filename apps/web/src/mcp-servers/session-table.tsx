import type { McpSessionShape } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { Badge, type Tone } from '../components/badge.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { DataTable } from '../components/data-table.tsx'
import { When } from '../components/when.tsx'
import { figureColumnsOf } from './figure-columns.tsx'

const tones: Partial<Record<McpSessionShape['state'], Tone>> = {
  PENDING: 'plain',
  RUNNING: 'accent',
  SUCCESS: 'better',
  FAILED: 'worse',
}

export function SessionState({ state }: { state: McpSessionShape['state'] }) {
  return <Badge tone={tones[state] ?? 'plain'}>{state.toLowerCase()}</Badge>
}

interface Props {
  sessions: readonly McpSessionShape[]
  /** Ids of those that are ticked, to be compared. */
  chosen: readonly string[]
  onToggle: (id: string) => void
}

/** Measurements of an MCP server, newest first. */
export function SessionTable({ sessions, chosen, onToggle }: Props) {
  return (
    <DataTable
      label="Sessions"
      rows={sessions}
      rowKey={({ id }) => id}
      stacks
      whenEmpty="It was not measured yet."
      columns={[
        {
          key: 'chosen',
          title: '✓',
          render: ({ id, command, label }) => (
            <span className="relative z-10 inline-flex">
              <Checkbox isSelected={chosen.includes(id)} onChange={() => onToggle(id)}>
                <span className="sr-only">Choose {label ?? command}</span>
              </Checkbox>
            </span>
          ),
        },
        {
          key: 'command',
          title: 'Session',
          grow: true,
          sortBy: ({ label, command }) => label ?? command,
          render: ({ id, command, label }) => (
            <Link
              to="/mcp-sessions/$mcpSessionId"
              params={{ mcpSessionId: id }}
              className="row-link block truncate font-medium"
            >
              {command} {label === null ? null : <span className="text-muted">{label}</span>}
            </Link>
          ),
        },
        { key: 'state', title: 'State', render: ({ state }) => <SessionState state={state} /> },
        ...figureColumnsOf<McpSessionShape>(({ figures }) => figures),
        {
          key: 'started',
          title: 'Measured',
          align: 'right',
          sortBy: ({ started_at: at, created_at: created }) => at ?? created,
          render: ({ started_at: at, created_at: created }) => <When at={at ?? created} />,
        },
      ]}
    />
  )
}
