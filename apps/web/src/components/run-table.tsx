import type { AnswerOf, operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { Commit } from './commit.tsx'
import { DataTable } from './data-table.tsx'
import { RunStatus } from './run-status.tsx'
import { When } from './when.tsx'

export type Run = AnswerOf<typeof operations.listRuns>['runs'][number]

/** Benchmark runs, newest first. */
export function RunTable({ runs, whenEmpty }: { runs: readonly Run[]; whenEmpty: string }) {
  return (
    <DataTable
      label="Runs"
      rows={runs}
      rowKey={({ id }) => id}
      whenEmpty={whenEmpty}
      columns={[
        {
          key: 'commit',
          title: 'Commit',
          grow: true,
          render: (run) => (
            <Link to="/runs/$runId" params={{ runId: run.id }} className="row-link block">
              <Commit hash={run.commit_hash} message={run.commit_message} />
            </Link>
          ),
        },
        {
          key: 'branch',
          title: 'Branch',
          render: (run) => <span className="block max-w-24 truncate sm:max-w-48">{run.branch}</span>,
        },
        {
          key: 'event',
          title: 'Event',
          hideBelow: 'lg',
          render: (run) => (
            <span className="whitespace-nowrap">
              {run.event}
              {run.pull_request === null ? '' : ` #${run.pull_request}`}
            </span>
          ),
        },
        {
          key: 'status',
          title: 'Status',
          hideBelow: 'sm',
          render: (run) => <RunStatus status={run.status} />,
        },
        {
          key: 'results',
          title: 'Results',
          align: 'right',
          hideBelow: 'sm',
          render: (run) => run.result_count.toLocaleString(),
        },
        { key: 'when', title: 'When', align: 'right', render: (run) => <When at={run.created_at} /> },
      ]}
    />
  )
}
