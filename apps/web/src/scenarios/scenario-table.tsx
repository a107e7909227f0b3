import { type AnswerOf, operations } from '@flamegate/contract'
import { durationText } from '@flamegate/loadtest/scenario'
import { Link } from '@tanstack/react-router'
import { useCall } from '../api.ts'
import { BenchState } from '../bench-results/bench-state.tsx'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { MoreActions } from '../components/more-actions.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { problemWords } from '../problem-words.ts'

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
  const deleting = useCall(operations.deleteScenario, [operations.listScenarios])
  const restoring = useCall(operations.restoreScenario, [operations.listScenarios])
  const duplicating = useCall(operations.duplicateScenario, [operations.listScenarios])
  const restore = ({ id, name }: Row) =>
    restoring.mutate(
      { scenario_id: id },
      {
        onSuccess: ({ scenario }) => say(`“${scenario.name}” is back.`),
        onError: (error) => say(`“${name}” cannot be brought back: ${problemWords(error).detail}`),
      },
    )
  const remove = (row: Row) =>
    deleting.mutate(
      { scenario_id: row.id },
      {
        onSuccess: () => say(`“${row.name}” is deleted.`, { label: 'Undo', onPress: () => restore(row) }),
        onError: (error) => say(`“${row.name}” cannot be deleted: ${problemWords(error).detail}`),
      },
    )
  const duplicate = ({ id, name }: Row) =>
    duplicating.mutate(
      { scenario_id: id },
      {
        onSuccess: ({ scenario }) => say(`“${scenario.name}” is there.`),
        onError: (error) => say(`“${name}” cannot be duplicated: ${problemWords(error).detail}`),
      },
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
          render: ({ tags }) => (
            <span className="relative z-10 flex flex-wrap gap-1">
              {tags.map((tag) => (
                <button
                  key={tag}
                  type="button"
                  aria-label={`Only those tagged ${tag}`}
                  onClick={() => onTag(tag)}
                  className="rounded-full hover:opacity-80"
                >
                  <Badge>{tag}</Badge>
                </button>
              ))}
            </span>
          ),
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
        {
          key: 'changed',
          title: 'Changed',
          align: 'right',
          sortBy: ({ updated_at }) => updated_at,
          render: ({ updated_at, version }) => (
            <span title={`Version ${version}`}>
              <When at={updated_at} />
            </span>
          ),
        },
        ...(mayChange
          ? [
              {
                key: 'actions',
                title: 'Actions',
                align: 'right' as const,
                render: (row: Row) =>
                  areDeleted ? (
                    <Button
                      aria-label={`Bring back ${row.name}`}
                      isDisabled={restoring.isPending}
                      onPress={() => restore(row)}
                    >
                      Bring back
                    </Button>
                  ) : (
                    // Above the link that takes presses anywhere in the row.
                    <span className="relative z-10 inline-flex">
                      <MoreActions
                        of={row.name}
                        actions={[
                          { label: 'Duplicate', onAction: () => duplicate(row) },
                          { label: 'Delete', onAction: () => remove(row) },
                        ]}
                      />
                    </span>
                  ),
              },
            ]
          : []),
      ]}
    />
  )
}
