import { operations } from '@flamegate/contract'
import { useCallback } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { DataTable } from '../components/data-table.tsx'
import { SearchField } from '../components/search-field.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { functionColumns } from './function-columns.tsx'
import type { ViewProps } from './profile-views.tsx'
import { searchPattern } from './search-pattern.ts'
import { SharesLine } from './shares-line.tsx'
import { useTypedWords } from './use-typed-words.ts'
import { selectionOf } from './view-search.ts'

const rowsMax = 500

/** The functions of a profile, to be sorted, searched and chosen. */
export function FunctionFinder(props: ViewProps & { onChoose: (name: string) => void }) {
  const { profile, search, change, onChoose } = props
  const keepWords = useCallback((words: string) => change({ search: words }), [change])
  const [words, setWords] = useTypedWords(search.search, keepWords)
  const isByTotal = search.sort?.endsWith('total') === true || search.sort?.endsWith('total-share') === true
  const query = useAnswer(
    operations.analyzeProfile,
    {
      profile_id: profile.id,
      sort_by: isByTotal ? 'total' : 'self',
      top_n: rowsMax,
      ...selectionOf(search),
      ...searchPattern(search.search),
    },
    { keepPrevious: true },
  )
  return (
    <div className="flex flex-col gap-3">
      <SearchField
        label="Find a function or file"
        value={words}
        onChange={setWords}
        className="w-72 max-sm:w-full"
      />
      <Answer query={query} skeleton={<SkeletonTable />}>
        {(answer) => (
          <div className="flex flex-col gap-3">
            <SharesLine answer={answer} shown={answer.functions.length} noun="function" />
            <DataTable
              label="Functions"
              rows={answer.functions}
              rowKey={(row) => `${row.function_name} ${row.file} ${row.line}`}
              sort={search.sort ?? '-self'}
              onSort={(sort) => change({ sort })}
              whenEmpty="No function fits."
              columns={functionColumns(answer.unit, (row) => onChoose(row.function_name))}
            />
          </div>
        )}
      </Answer>
    </div>
  )
}
