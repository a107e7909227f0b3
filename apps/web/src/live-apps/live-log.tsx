import { formatMeasure, type LiveEntryShape as Entry, type LiveRowShape } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { columnTitle } from './column-title.ts'
import { type LiveSectionView, sectionInput } from './live-sections.ts'

interface Props {
  liveAppId: string
  section: Extract<LiveSectionView, { logs: unknown }>
  row: LiveRowShape
  isPaused: boolean
}

const entriesMax = 100

/** The newest entries of a row's log: its calls, messages or values one by one. */
export function LiveLog({ liveAppId, section, row, isPaused }: Props) {
  const input = {
    live_app_id: liveAppId,
    [section.item]: row.id,
    limit: entriesMax,
    ...sectionInput(section),
  }
  const query = useAnswer(section.logs, input, { keepPrevious: true, pollWhile: () => !isPaused })
  return (
    <Answer query={query} skeleton={<SkeletonTable rows={8} />}>
      {({ entries, lost }) => <Entries entries={entries} lost={lost} />}
    </Answer>
  )
}

const exact = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

function Entries({ entries, lost }: { entries: readonly Entry[]; lost: number }) {
  const measures = [...new Set(entries.flatMap((entry) => Object.keys(entry.measures)))]
  const word = (key: 'kind' | 'thread' | 'text', title: string): Column<Entry>[] =>
    entries.some((entry) => entry[key] !== null)
      ? [{ key, title, render: (entry) => <span className="block max-w-96 truncate">{entry[key]}</span> }]
      : []
  return (
    <div className="flex flex-col gap-3">
      <DataTable
        label="Log entries"
        rows={entries.map((entry, number) => ({ ...entry, number }))}
        rowKey={({ number }) => String(number)}
        whenEmpty="Nothing was logged of it, or not lately."
        columns={[
          {
            key: 'at',
            title: 'At',
            render: ({ at }) => (
              <time dateTime={at} className="whitespace-nowrap">
                {`${exact.format(new Date(at))}.${at.slice(20, 23)}`}
              </time>
            ),
          },
          ...measures.map((name): Column<Entry> => ({
            key: name,
            title: columnTitle(name),
            align: 'right',
            sortBy: (entry) => entry.measures[name] ?? null,
            render: (entry) => formatMeasure(name, entry.measures[name]) ?? '',
          })),
          ...word('kind', 'Kind'),
          ...word('thread', 'Thread'),
          ...word('text', 'Text'),
        ]}
      />
      {lost === 0 ? null : (
        <p className="text-sm text-muted">{lost} entries were lost before they could be pushed.</p>
      )}
    </div>
  )
}
