import { formatChangePercent, formatQuantity } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { Commit } from '../components/commit.tsx'
import { DataTable } from '../components/data-table.tsx'
import type { Change, History } from './history.ts'

/** Where the level of a benchmark changed and stayed, newest first. */
export function ChangeTable({ history }: { history: History }) {
  const { change_points, points, unit, benchmark } = history
  const commitOf = ({ run_id }: Change) => points.find((point) => point.run_id === run_id)
  return (
    <DataTable
      label="Changes of level"
      rows={change_points.toReversed()}
      rowKey={({ branch, run_id }) => `${branch} ${run_id}`}
      whenEmpty=""
      columns={[
        {
          key: 'commit',
          title: 'Since',
          grow: true,
          render: (change) => {
            const point = commitOf(change)
            return (
              <Link
                to="/benchmarks/$benchmarkId"
                params={{ benchmarkId: benchmark.id }}
                search={(before) => ({ ...before, run: change.run_id })}
                resetScroll={false}
                className="row-link block"
              >
                {point === undefined ? (
                  change.run_id
                ) : (
                  <Commit hash={point.commit_hash} message={point.commit_message} />
                )}
              </Link>
            )
          },
        },
        {
          key: 'branch',
          title: 'Branch',
          hideBelow: 'sm',
          render: ({ branch }) => <span className="block max-w-48 truncate">{branch}</span>,
        },
        {
          key: 'levels',
          title: 'Level',
          align: 'right',
          hideBelow: 'sm',
          render: ({ before, after }) => `${formatQuantity(before, unit)} → ${formatQuantity(after, unit)}`,
        },
        {
          key: 'change',
          title: 'Change',
          align: 'right',
          sortBy: ({ change_percent }) => change_percent,
          render: ({ change_percent, sentence }) => (
            <span title={sentence} className={`font-medium ${changeColor(change_percent, history)}`}>
              {formatChangePercent(change_percent)}
            </span>
          ),
        },
        {
          key: 'interval',
          title: 'With 95 % confidence',
          align: 'right',
          hideBelow: 'lg',
          render: ({ interval_low_percent: low, interval_high_percent: high }) =>
            `${formatChangePercent(low)} to ${formatChangePercent(high)}`,
        },
      ]}
    />
  )
}

/** None where nobody said which way is better. */
function changeColor(percent: number, { better_when }: History): string {
  if (better_when === null) return ''
  return percent > 0 === (better_when === 'lower') ? 'text-worse' : 'text-better'
}
