import { type AnswerOf, operations } from '@flamegate/contract'
import { useCallback } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { valueColumns } from './function-columns.tsx'
import { FunctionFinder } from './function-finder.tsx'
import type { ViewProps } from './profile-views.tsx'
import { searchPattern } from './search-pattern.ts'
import { SharesLine } from './shares-line.tsx'
import { useTypedWords } from './use-typed-words.ts'
import { selectionOf, withLabel } from './view-search.ts'

type GroupRow = AnswerOf<typeof operations.analyzeProfile>['groups'][number]

const groupings = [
  { id: 'function', label: 'Functions' },
  { id: 'category', label: 'Kinds of work' },
  { id: 'package', label: 'Packages' },
  { id: 'file', label: 'Files' },
  { id: 'origin', label: 'Origins' },
  { id: 'path', label: 'Hot paths' },
] as const

/** A profile as a table: functions, or what they are grouped by. */
export function TableView(props: ViewProps) {
  const { profile, search, change } = props
  const group = search.group ?? 'function'
  const labels = Object.keys(profile.labels).map((name) => ({ id: `label:${name}`, label: `Label ${name}` }))
  const groups = [...groupings, ...labels]
  return (
    <div className="flex flex-col gap-3">
      <Select
        label="Rows are"
        hideLabel
        className="w-52"
        choices={groups}
        value={group === 'thread' ? 'label:thread' : group}
        onChange={(id) => change({ group: id === 'function' ? undefined : id, sort: undefined })}
      />
      {group === 'function' ? (
        <FunctionFinder {...props} onChoose={(name) => change({ view: 'sandwich', function: name })} />
      ) : (
        <GroupTable key={group} {...props} group={group} />
      )}
    </div>
  )
}

function GroupTable({ profile, search, change, group }: ViewProps & { group: string }) {
  const keepWords = useCallback((words: string) => change({ search: words }), [change])
  const [words, setWords] = useTypedWords(search.search, keepWords)
  const isPath = group === 'path'
  const query = useAnswer(
    operations.analyzeProfile,
    {
      profile_id: profile.id,
      group_by: group,
      sort_by: search.sort?.includes('total') === true ? 'total' : 'self',
      top_n: isPath ? 50 : 500,
      ...selectionOf(search),
      ...searchPattern(search.search),
    },
    { keepPrevious: true },
  )
  const label = group.startsWith('label:') ? group.slice('label:'.length) : undefined
  const choose = (name: string) => {
    if (group === 'file') change({ view: 'lines', file: name, function: undefined })
    else if (label !== undefined) change({ labels: withLabel(search.labels, label, name) })
  }
  // Threads of several processes are named with them, so that their row is not the value of a label.
  const canChoose = group === 'file' || (label !== undefined && label !== 'thread')
  return (
    <div className="flex flex-col gap-3">
      <SearchField
        label={isPath ? 'Through a function or file' : 'Find a row'}
        value={words}
        onChange={setWords}
        className="w-72 max-sm:w-full"
      />
      <Answer query={query} skeleton={<SkeletonTable />}>
        {(answer) => (
          <div className="flex flex-col gap-3">
            <SharesLine answer={answer} shown={answer.groups.length} noun="row" />
            <DataTable
              label={groupings.find(({ id }) => id === group)?.label ?? group}
              rows={answer.groups.map((row, index) => ({ ...row, index }))}
              rowKey={(row) => String(row.index)}
              {...(isPath
                ? {}
                : { sort: search.sort ?? '-self', onSort: (sort: string) => change({ sort }) })}
              whenEmpty="Nothing fits."
              columns={groupColumns(answer.unit, isPath, canChoose ? choose : undefined)}
            />
          </div>
        )}
      </Answer>
    </div>
  )
}

type Row = GroupRow & { index: number }

function groupColumns(
  unit: string,
  isPath: boolean,
  onChoose: ((name: string) => void) | undefined,
): readonly Column<Row>[] {
  // Paths are in the order of the tree: they mean nothing in another.
  const values = valueColumns<Row>(unit).map(({ sortBy, ...column }) =>
    isPath || sortBy === undefined ? column : { ...column, sortBy },
  )
  return [
    {
      key: 'name',
      title: isPath ? 'Path' : 'Name',
      grow: true,
      ...(isPath ? {} : { sortBy: (row: Row) => row.name }),
      render: (row) => <GroupName row={row} onChoose={onChoose} />,
    },
    ...values,
  ]
}

function GroupName({ row, onChoose }: { row: Row; onChoose: ((name: string) => void) | undefined }) {
  const name = <span className="font-mono break-words">{row.name}</span>
  return (
    <div style={{ paddingLeft: `${Math.min(row.depth ?? 0, 12) * 0.75}rem` }}>
      {onChoose === undefined ? (
        name
      ) : (
        <button type="button" onClick={() => onChoose(row.name)} className="row-link max-w-full text-left">
          {name}
        </button>
      )}
      {row.top_functions.length === 0 ? null : (
        <p className="truncate text-sm text-muted" title={row.top_functions.join('\n')}>
          {row.top_functions.join(', ')}
        </p>
      )}
    </div>
  )
}
