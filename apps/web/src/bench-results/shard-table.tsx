import type { AnswerOf, operations } from '@flamegate/contract'
import { Badge, type Tone } from '../components/badge.tsx'
import { DataTable } from '../components/data-table.tsx'
import { When } from '../components/when.tsx'

export type Shard = AnswerOf<typeof operations.getBenchResult>['shards'][number]

const looks: Record<Shard['state'], { tone: Tone; words: string }> = {
  WAITING: { tone: 'caution', words: 'waiting' },
  PREPARING: { tone: 'accent', words: 'preparing' },
  READY: { tone: 'accent', words: 'ready' },
  RUNNING: { tone: 'accent', words: 'running' },
  DONE: { tone: 'better', words: 'done' },
  FAILED: { tone: 'worse', words: 'failed' },
  LOST: { tone: 'worse', words: 'lost' },
}

interface Props {
  shards: readonly Shard[]
  /** Of load generators, by id. */
  names: ReadonlyMap<string, string>
}

/** The agents of a load test, each with its part of the load. */
export function ShardTable({ shards, names }: Props) {
  return (
    <DataTable
      label="Agents"
      rows={shards}
      rowKey={({ slot }) => String(slot)}
      stacks
      whenEmpty="No agents."
      columns={[
        {
          key: 'agent',
          title: 'Agent',
          grow: true,
          render: ({ slot, load_generator_id: id, message }) => (
            <span className="block min-w-0 break-words">
              <span className="font-medium">{id === null ? `Slot ${slot}` : (names.get(id) ?? id)}</span>{' '}
              <span className="text-muted">{message}</span>
            </span>
          ),
        },
        { key: 'group', title: 'Group', render: ({ agent_group }) => agent_group },
        {
          key: 'state',
          title: 'State',
          render: ({ state }) => <Badge tone={looks[state].tone}>{looks[state].words}</Badge>,
        },
        {
          key: 'seen',
          title: 'Last heard of',
          align: 'right',
          render: ({ last_seen_at: at }) => (at === null ? '–' : <When at={at} />),
        },
      ]}
    />
  )
}
