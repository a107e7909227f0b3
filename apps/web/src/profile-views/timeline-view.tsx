import { operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import type { ViewProps } from './profile-views.tsx'
import { TimeBands } from './time-bands.tsx'
import { TimeRangeForm } from './time-range-form.tsx'
import { selectionOf } from './view-search.ts'

const groupings = [
  { id: 'thread', label: 'A band per thread' },
  { id: 'origin', label: 'A band per origin' },
] as const

/** When a profile has its values; a stretch that is chosen here is what the other views show. */
export function TimelineView({ profile, search, change }: ViewProps) {
  const { labels, from_ms, to_ms } = selectionOf(search)
  const group = search.group === 'origin' ? 'origin' : 'thread'
  const query = useAnswer(
    operations.getProfileTimeline,
    {
      profile_id: profile.id,
      group_by: group,
      bucket_count: 600,
      ...(labels === undefined ? {} : { labels }),
    },
    { keepPrevious: true },
  )
  const choose = (range: readonly [fromMs: number, toMs: number] | undefined) =>
    change({
      from: range === undefined ? undefined : String(range[0]),
      to: range === undefined ? undefined : String(range[1]),
      // Only the default type is known by time.
      type: undefined,
      zoom: undefined,
      part: undefined,
    })
  return (
    <Answer query={query} skeleton={<SkeletonBlock height="16rem" />}>
      {(timeline) =>
        timeline.series.length === 0 ? (
          <EmptyState title="This profile has no timeline">
            <p>Its format does not tell when samples were taken, or none of these was.</p>
          </EmptyState>
        ) : (
          <div className="flex flex-col gap-4">
            <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
              <Select
                label="Bands"
                hideLabel
                className="w-48"
                choices={groupings}
                value={group}
                onChange={(id) => change({ group: id === 'origin' ? 'origin' : undefined })}
              />
              <TimeRangeForm
                key={`${from_ms} ${to_ms}`}
                fromMs={from_ms}
                toMs={to_ms}
                endMs={timeline.end_ms}
                onChoose={choose}
              />
            </div>
            <TimeBands
              timeline={timeline}
              range={
                from_ms === undefined && to_ms === undefined
                  ? undefined
                  : [from_ms ?? timeline.start_ms, to_ms ?? timeline.end_ms]
              }
              onChoose={choose}
            />
            <p className="text-sm text-muted">
              Drag over a stretch of time to look at only that in all views. Times without a sample for long
              are hatched. Values are {timeline.sample_type}, in {timeline.unit}.
            </p>
          </div>
        )
      }
    </Answer>
  )
}
