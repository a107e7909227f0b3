import { type AnswerOf, operations } from '@flamegate/contract'
import { durationText } from '@flamegate/loadtest/scenario'
import { Link } from '@tanstack/react-router'
import { BenchState } from '../bench-results/bench-state.tsx'
import { DataTable } from '../components/data-table.tsx'
import { When } from '../components/when.tsx'
import { changedColumn } from '../design/changed-column.tsx'
import { TagButtons } from '../design/tag-buttons.tsx'
import { useActionsColumn } from '../design/use-actions-column.tsx'

type Row = AnswerOf<typeof operations.listScenarios>['scenarios'][number]

interface Props {
  rows: readonly Row[]
  /** Whether these were deleted. */
  areDeleted: boolean
  mayChange: boolean
  onTag: (tag: string) => void
  whenEmpty: string
}

/** Scenarios of a project, one per line. */
export function ScenarioTable({ rows, areDeleted, mayChange, onTag, whenEmpty }: Props) {
  const actions = useActionsColumn(
    {
      duplicate: operations.duplicateScenario,
      remove: operations.deleteScenario,
      restore: operations.restoreScenario,
      list: operations.listScenarios,
      inputOf: ({ id }: Row) => ({ scenario_id: id }),
      copyIn: ({ scenario }) => scenario.name,
    },
    areDeleted,
  )
  return (
    <DataTable
      label="Scenarios"
      rows={rows}
      rowKey={({ id }) => id}
      stacks
      whenEmpty={whenEmpty}
      columns={[
        {
          key: 'name',
          title: 'Scenario',
          grow: true,
          sortBy: ({ name }) => name.toLowerCase(),
          render: (row) =>
            areDeleted ? (
              <span className="block truncate font-medium">{row.name}</span>
            ) : (
              <Link
                to="/scenarios/$scenarioId"
                params={{ scenarioId: row.id }}
                className="row-link block truncate"
              >
                <span className="font-medium">{row.name}</span>{' '}
                <span className="text-muted">{row.loads.join('; ')}</span>
              </Link>
            ),
        },
        {
          key: 'tags',
          title: 'Tags',
          render: ({ tags }) => <TagButtons tags={tags} onTag={onTag} />,
        },
        {
          key: 'users',
          title: 'Users at once',
          align: 'right',
          sortBy: ({ users_max }) => users_max,
          render: ({ users_max }) => (
            <span>
              {Math.round(users_max).toLocaleString('en')}
              <span className="text-muted sm:hidden"> users</span>
            </span>
          ),
        },
        {
          key: 'duration',
          title: 'Duration',
          align: 'right',
          sortBy: ({ duration_ms }) => duration_ms,
          render: ({ duration_ms }) => durationText(duration_ms),
        },
        {
          key: 'thresholds',
          title: 'Thresholds',
          align: 'right',
          hideBelow: 'lg',
          sortBy: ({ thresholds }) => thresholds.length,
          render: ({ thresholds }) => <span title={thresholds.join('\n')}>{thresholds.length}</span>,
        },
        {
          key: 'last-run',
          title: 'Last run',
          hideBelow: 'lg',
          sortBy: ({ last_run: run }) => run?.created_at ?? null,
          render: ({ project_id: projectId, last_run: run }) =>
            run === null ? (
              <span className="text-muted">never</span>
            ) : (
              <Link
                to="/projects/$projectId/bench-results/$benchResultId"
                params={{ projectId, benchResultId: run.id }}
                className="relative z-10 inline-flex items-center gap-2 hover:underline"
              >
                <BenchState {...run} />
                <When at={run.created_at} />
              </Link>
            ),
        },
        changedColumn,
        ...(mayChange ? [actions] : []),
      ]}
    />
  )
}
