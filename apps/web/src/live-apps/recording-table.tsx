import { type AnswerOf, formatBytes, type operations } from '@flamegate/contract'
import { durationText } from '@flamegate/loadtest/scenario'
import { Link } from '@tanstack/react-router'
import { actionsColumn } from '../components/actions-column.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { DataTable } from '../components/data-table.tsx'
import { When } from '../components/when.tsx'

export type LiveRecording = AnswerOf<typeof operations.getLiveRecording>['live_recording']

interface Props {
  rows: readonly LiveRecording[]
  /** Ids of those that are ticked. */
  chosen: readonly string[]
  onToggle: (id: string) => void
  /** Without it nothing can be deleted. */
  onDelete: ((recording: LiveRecording) => void) | undefined
}

/** Recordings of live apps, newest first. */
export function RecordingTable({ rows, chosen, onToggle, onDelete }: Props) {
  return (
    <DataTable
      label="Recordings"
      rows={rows}
      rowKey={({ id }) => id}
      stacks
      whenEmpty=""
      columns={[
        {
          key: 'chosen',
          title: '✓',
          render: ({ id, name }) => (
            <span className="relative z-10 inline-flex">
              <Checkbox isSelected={chosen.includes(id)} onChange={() => onToggle(id)}>
                <span className="sr-only">Choose {name}</span>
              </Checkbox>
            </span>
          ),
        },
        {
          key: 'name',
          title: 'Recording',
          grow: true,
          sortBy: ({ name }) => name.toLowerCase(),
          render: ({ id, name, note }) => (
            <Link
              to="/live-recordings/$liveRecordingId"
              params={{ liveRecordingId: id }}
              className="row-link block truncate"
            >
              <span className="font-medium">{name}</span> <span className="text-muted">{note}</span>
            </Link>
          ),
        },
        { key: 'app', title: 'Live app', sortBy: ({ app }) => app.toLowerCase(), render: ({ app }) => app },
        {
          key: 'length',
          title: 'Length',
          align: 'right',
          sortBy: lengthMs,
          render: (recording) => durationText(lengthMs(recording)),
        },
        {
          key: 'ended',
          title: 'Ended',
          align: 'right',
          sortBy: ({ to }) => to,
          render: ({ to }) => <When at={to} />,
        },
        {
          key: 'size',
          title: 'Size',
          align: 'right',
          hideBelow: 'sm',
          sortBy: ({ size_bytes: bytes }) => bytes,
          render: ({ size_bytes: bytes }) => formatBytes(bytes),
        },
        ...(onDelete === undefined
          ? []
          : [
              actionsColumn((recording: LiveRecording) => ({
                of: recording.name,
                actions: [{ label: 'Delete…', onAction: () => onDelete(recording) }],
              })),
            ]),
      ]}
    />
  )
}

export function lengthMs({ from, to }: Pick<LiveRecording, 'from' | 'to'>): number {
  return Date.parse(to) - Date.parse(from)
}
