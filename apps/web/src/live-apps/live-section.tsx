import type { LiveRowShape } from '@flamegate/contract'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { historyOfRow, useLiveHistory } from './live-history.ts'
import { LiveItem } from './live-item.tsx'
import { LiveRowTable } from './live-row-table.tsx'
import { type LiveSectionView, summaryInput } from './live-sections.ts'

interface Props {
  /** Id of a live app or of a recording. */
  sourceId: string
  section: LiveSectionView
  filter: string | undefined
  /** Seconds; without them since the start, of a recording all of it. */
  windowSeconds: number | undefined
  /** It stands still: what moves is an app that is not paused. */
  isPaused: boolean
  /** Of a recording there is no log. */
  isRecording: boolean
}

const rowsMax = 200
const trendSteps = 30

/** A section of a live app, or of a recording of one, as tables. */
export function LiveSection({ sourceId, section, filter, windowSeconds, isPaused, isRecording }: Props) {
  const [opened, setOpened] = useState<LiveRowShape>()
  const input = {
    live_app_id: sourceId,
    ...summaryInput(section, { limit: rowsMax, last_seconds: windowSeconds, filter }),
  }
  const query = useAnswer(section.summary, input, { keepPrevious: true, pollWhile: () => !isPaused })
  const history = useLiveHistory({
    sourceId,
    section,
    windowSeconds,
    isPaused,
    steps: trendSteps,
    filter,
  })
  const historyOf = historyOfRow(history.data?.items ?? [])
  return (
    <Answer query={query} skeleton={<SkeletonTable rows={8} />}>
      {({ section: told, rows, process, total_count: count, notes }) =>
        told.status !== 'on' && rows.length === 0 && process === null ? (
          <EmptyState title={told.status === 'failed' ? 'It could not be read' : 'It is not enabled'}>
            <p>{[told.reason, told.how_to_enable].filter((words) => words !== null).join(' ')}</p>
          </EmptyState>
        ) : (
          <div className="flex flex-col gap-4">
            {process === null ? null : (
              <LiveRowTable
                label="All of the process"
                section={section.id}
                rows={[process]}
                onOpen={setOpened}
                whenEmpty=""
              />
            )}
            <LiveRowTable
              label={section.title}
              section={section.id}
              rows={rows}
              trendOf={(row) => historyOf(row)?.measures}
              onOpen={setOpened}
              whenEmpty="Nothing was told in this time."
            />
            {rows.length < count ? (
              <p className="text-sm text-muted">
                {rows.length} of {count}, those with the most; find others by name.
              </p>
            ) : null}
            {notes.map((note) => (
              <p key={note} className="text-sm text-muted">
                {note}
              </p>
            ))}
            {opened === undefined ? null : (
              <LiveItem
                sourceId={sourceId}
                section={section}
                row={opened}
                windowSeconds={windowSeconds}
                isPaused={isPaused}
                hasLog={!isRecording}
                onClose={() => setOpened(undefined)}
              />
            )}
          </div>
        )
      }
    </Answer>
  )
}
