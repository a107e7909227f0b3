import { ApiProblem } from '@flamegate/client'
import { type AnswerOf, formatQuantity, operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { valueColumns } from './function-columns.tsx'
import { FunctionFinder } from './function-finder.tsx'
import type { ViewProps } from './profile-views.tsx'
import { selectionOf } from './view-search.ts'

type Line = AnswerOf<typeof operations.getSourceLines>['lines'][number]

/** What each source line of a function, or of a file, costs. */
export function LinesView(props: ViewProps) {
  const { search, change } = props
  if (search.function === undefined && search.file === undefined) {
    return (
      <>
        <p className="text-muted">Choose the function whose lines to see.</p>
        <FunctionFinder
          {...props}
          onChoose={(name) => change({ function: name, file: undefined, search: undefined })}
        />
      </>
    )
  }
  return <ChosenLines {...props} />
}

function ChosenLines({ profile, search, change }: ViewProps) {
  const name = search.file ?? search.function ?? ''
  const query = useAnswer(
    operations.getSourceLines,
    {
      profile_id: profile.id,
      top_n: 2000,
      ...selectionOf(search),
      ...(search.file === undefined ? { function_name: name } : { file: name }),
    },
    { keepPrevious: true },
  )
  const chooseAnother = (
    <Button onPress={() => change({ function: undefined, file: undefined })}>Choose another function</Button>
  )
  if (isUnknown(query.error)) {
    return <EmptyState title={`${name} is not in this profile`}>{chooseAnother}</EmptyState>
  }
  return (
    <Answer query={query} skeleton={<SkeletonTable />}>
      {(answer) => (
        <div className="flex flex-col gap-3">
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-lg bg-sunken px-4 py-2.5">
            <div className="min-w-0 grow basis-64">
              <h2 className="font-mono font-medium break-all">{name}</h2>
              <p className="text-sm text-muted tabular-nums">
                total {formatQuantity(answer.total_value, answer.unit)}, self{' '}
                {formatQuantity(answer.self_value, answer.unit)}
                {answer.line_count > 0 && answer.self_without_line > answer.self_value * 0.001
                  ? `, of which ${formatQuantity(answer.self_without_line, answer.unit)} without a line`
                  : ''}
              </p>
            </div>
            {chooseAnother}
          </div>
          {answer.note === null ? null : <p className="text-muted">{answer.note}</p>}
          <DataTable
            label="Lines"
            rows={answer.lines}
            rowKey={(row) => `${row.file} ${row.line} ${row.function_name}`}
            sort={search.sort}
            onSort={(sort) => change({ sort })}
            whenEmpty="No lines are known."
            columns={lineColumns(answer.unit, answer.lines, search.file !== undefined)}
          />
        </div>
      )}
    </Answer>
  )
}

function lineColumns(unit: string, lines: readonly Line[], isFile: boolean): readonly Column<Line>[] {
  const heaviest = lines.reduce((most, row) => Math.max(most, Math.abs(row.total_value)), 0)
  return [
    {
      key: 'line',
      title: 'Line',
      align: 'right',
      sortBy: (row) => row.line,
      render: (row) => <span className="font-mono">{row.line}</span>,
    },
    {
      key: 'place',
      title: isFile ? 'Function' : 'File',
      grow: true,
      render: (row) => (
        <div className="flex flex-col gap-1">
          <span className="block truncate font-mono" title={isFile ? row.function_name : (row.file ?? '')}>
            {isFile ? row.function_name : (row.file?.replace('file://', '') ?? '')}
          </span>
          <span
            aria-hidden="true"
            className="block h-1 rounded-sm bg-accent"
            style={{ width: `${heaviest === 0 ? 0 : (Math.abs(row.total_value) / heaviest) * 100}%` }}
          />
        </div>
      ),
    },
    ...valueColumns<Line>(unit).map((column) =>
      column.key === 'self-share' ? { ...column, hideBelow: 'sm' as const } : column,
    ),
  ]
}

/** The address may name what another profile has. */
function isUnknown(error: Error | null): boolean {
  return (
    error instanceof ApiProblem && (error.code === 'function_not_found' || error.code === 'invalid_input')
  )
}
