import { type AnswerOf, formatBytes, formatDifference, operations } from '@flamegate/contract'
import { useCallback, useMemo } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { SearchField } from '../components/search-field.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import type { ViewProps } from '../profile-views/profile-views.tsx'
import { useTypedWords } from '../profile-views/use-typed-words.ts'
import { BaselineSelect } from './baseline-select.tsx'
import { ClassTable } from './class-table.tsx'

type Classes = AnswerOf<typeof operations.getHeapSnapshotClasses>

const classesMax = 1000

/** The order in which the largest are asked for, by the column that the table is sorted by. */
const orders = { count: 'count', self: 'shallow', retained: 'retained', growth: 'growth' } as const

/** All classes of a heap snapshot, with how they changed since an earlier one when that is chosen. */
export function ClassList({ profile, search, change }: ViewProps) {
  const { baseline, sort = baseline === undefined ? '-retained' : '-growth' } = search
  const keepWords = useCallback((words: string) => change({ search: words }), [change])
  const [words, setWords] = useTypedWords(search.search, keepWords)
  const order = Object.entries(orders).find(([column]) => sort === `-${column}`)?.[1]
  const query = useAnswer(
    operations.getHeapSnapshotClasses,
    {
      profile_id: profile.id,
      top_n: classesMax,
      ...(baseline === undefined ? {} : { baseline_profile_id: baseline }),
      ...(order === undefined ? {} : { sort_by: order }),
    },
    { keepPrevious: true },
  )
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <SearchField label="Find a class" value={words} onChange={setWords} className="w-72 max-sm:w-full" />
        <BaselineSelect
          profile={profile}
          baseline={baseline}
          onChange={(id) => change({ baseline: id, sort: undefined })}
        />
      </div>
      <Answer query={query} skeleton={<SkeletonTable rows={12} />}>
        {(answer) => (
          <Found
            answer={answer}
            words={words}
            sort={sort}
            onSort={(next) => change({ sort: next })}
            onClass={(name) => change({ function: name })}
          />
        )}
      </Answer>
    </div>
  )
}

interface FoundProps {
  answer: Classes
  words: string
  sort: string
  onSort: (sort: string) => void
  onClass: (className: string) => void
}

function Found({ answer, words, sort, onSort, onClass }: FoundProps) {
  const rows = useMemo(() => {
    const part = words.trim().toLowerCase()
    return answer.classes.filter(({ class_name: name }) => name.toLowerCase().includes(part))
  }, [answer, words])
  return (
    <div className="flex flex-col gap-3">
      <p aria-live="polite" className="text-sm text-muted">
        {totalsWords(answer)}
        {words.trim() === '' ? '' : ` ${rows.length.toLocaleString()} found.`}
      </p>
      {answer.notes.map((note) => (
        <p key={note} className="max-w-prose text-muted">
          {note}
        </p>
      ))}
      <ClassTable
        rows={rows}
        totalBytes={answer.total_size}
        isCompared={answer.baseline !== null}
        sort={sort}
        onSort={onSort}
        onClass={onClass}
      />
    </div>
  )
}

function totalsWords({ object_count, class_count, total_size, baseline, classes }: Classes): string {
  const all = `${object_count.toLocaleString()} objects of ${class_count.toLocaleString()} classes, ${formatBytes(total_size)}`
  const since =
    baseline === null
      ? ''
      : `; since the baseline ${formatDifference(total_size - baseline.total_size, 'bytes')}, ` +
        `${formatDifference(object_count - baseline.object_count, 'count')} objects`
  const shown = classes.length < classesMax ? '' : ` The first ${classesMax.toLocaleString()} are shown.`
  return `${all}${since}.${shown}`
}
