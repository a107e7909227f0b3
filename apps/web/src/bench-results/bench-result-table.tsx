import { durationText } from '@flamegate/loadtest/scenario'
import { Link } from '@tanstack/react-router'
import { Badge } from '../components/badge.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { DataTable } from '../components/data-table.tsx'
import { When } from '../components/when.tsx'
import { type BenchResult, BenchState } from './bench-state.tsx'

interface Props {
  rows: readonly BenchResult[]
  whenEmpty: string
  /** Ids of those that are ticked. */
  chosen: readonly string[]
  /** Undefined for those who can do nothing with what they tick. */
  onToggle: ((id: string) => void) | undefined
}

/** Load tests, newest first. */
export function BenchResultTable({ rows, whenEmpty, chosen, onToggle }: Props) {
  return (
    <DataTable
      label="Load tests"
      rows={rows}
      rowKey={({ id }) => id}
      stacks
      whenEmpty={whenEmpty}
      columns={[
        ...(onToggle === undefined
          ? []
          : [
              {
                key: 'chosen',
                title: '✓',
                render: ({ id, name }: BenchResult) => (
                  <span className="relative z-10 inline-flex">
                    <Checkbox isSelected={chosen.includes(id)} onChange={() => onToggle(id)}>
                      <span className="sr-only">Choose {name}</span>
                    </Checkbox>
                  </span>
                ),
              },
            ]),
        {
          key: 'name',
          title: 'Load test',
          grow: true,
          render: ({ id, project_id, name, message }) => (
            <Link
              to="/projects/$projectId/bench-results/$benchResultId"
              params={{ projectId: project_id, benchResultId: id }}
              className="row-link block truncate"
            >
              <span className="font-medium">{name}</span> <span className="text-muted">{message}</span>
            </Link>
          ),
        },
        {
          key: 'state',
          title: 'State',
          render: (run) => (
            <span className="flex gap-1">
              <BenchState {...run} />
              {run.is_baseline ? <Badge tone="accent">baseline</Badge> : null}
            </span>
          ),
        },
        {
          key: 'tags',
          title: 'Tags',
          render: ({ tags }) => (
            <span className="flex flex-wrap gap-1">
              {tags.map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
            </span>
          ),
        },
        {
          key: 'scenario',
          title: 'Scenario',
          render: ({ scenario_id: id, scenario_version: version, name }) =>
            id === null ? null : (
              <Link
                to="/scenarios/$scenarioId"
                params={{ scenarioId: id }}
                aria-label={`Scenario of ${name}, version ${version}`}
                className="text-link relative z-10 whitespace-nowrap"
              >
                version {version}
              </Link>
            ),
        },
        {
          key: 'duration',
          title: 'Load lasts',
          align: 'right',
          render: ({ duration_ms }) => durationText(duration_ms),
        },
        {
          key: 'when',
          title: 'Started',
          align: 'right',
          render: ({ started_at, created_at }) => <When at={started_at ?? created_at} />,
        },
      ]}
    />
  )
}
