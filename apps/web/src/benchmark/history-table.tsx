import { formatQuantity } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { Commit } from '../components/commit.tsx'
import { DataTable } from '../components/data-table.tsx'
import { When } from '../components/when.tsx'
import type { Point } from './history.ts'

interface Props {
  benchmarkId: string
  points: readonly Point[]
  unit: string
  sort: string | undefined
  onSort: (sort: string) => void
}

/** The history as a table; a row shows its run's result. */
export function HistoryTable({ benchmarkId, points, unit, sort, onSort }: Props) {
  return (
    <DataTable
      label="Values by run"
      rows={points}
      rowKey={(point) => point.run_id}
      whenEmpty="No runs of this branch."
      sort={sort}
      onSort={onSort}
      columns={[
        {
          key: 'commit',
          title: 'Commit',
          grow: true,
          render: (point) => (
            <Link
              to="/benchmarks/$benchmarkId"
              params={{ benchmarkId }}
              search={(before) => ({ ...before, run: point.run_id })}
              resetScroll={false}
              className="row-link block"
            >
              <Commit hash={point.commit_hash} message={point.commit_message} />
            </Link>
          ),
        },
        {
          key: 'branch',
          title: 'Branch',
          hideBelow: 'sm',
          render: (point) => <span className="block max-w-48 truncate">{point.branch}</span>,
        },
        {
          key: 'when',
          title: 'When',
          align: 'right',
          sortBy: (point) => Date.parse(point.at),
          render: (point) => <When at={point.at} />,
        },
        {
          key: 'value',
          title: 'Value',
          align: 'right',
          sortBy: (point) => point.value,
          render: (point) => formatQuantity(point.value, unit),
        },
      ]}
    />
  )
}
