import { type AnswerOf, formatBytes, formatDifference, operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Facts } from '../components/facts.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonBlock, SkeletonTable } from '../components/skeleton.tsx'
import { HeapSiteTable, type SiteTrend } from '../profiles/heap-site-table.tsx'
import { idsIn } from '../profiles/ids-in-address.ts'
import { TrendChart } from '../profiles/trend-chart.tsx'
import { ProjectPage } from '../shell/page.tsx'

const route = getRouteApi('/app/profiles/heap-series')

type Series = AnswerOf<typeof operations.analyzeHeapTimeSeries>

const sitesMax = 20
/** More lines than that are not told apart. */
const linesMax = 6

/** How memory in use grows over a series of heap profiles, by allocation site. */
export function HeapSeriesPage() {
  const ids = idsIn(route.useSearch().ids)
  const query = useAnswer(
    operations.analyzeHeapTimeSeries,
    { profile_ids: ids, limit: sitesMax },
    { enabled: ids.length >= 3 },
  )
  const first = useAnswer(operations.getProfile, { profile_id: ids[0] ?? '' }, { enabled: ids.length > 0 })
  return (
    <ProjectPage
      projectId={
        first.data?.profile.project_id ?? (ids.length > 0 && first.error === null ? undefined : null)
      }
      section="profiles"
      title="Heap over time"
    >
      {ids.length < 3 ? (
        <EmptyState title="Choose three heap profiles or more">
          <p>Tick them in a project’s list of profiles. From five on, trends have confidence intervals.</p>
        </EmptyState>
      ) : (
        <Answer query={query} skeleton={<SeriesSkeleton />}>
          {(series) => <SeriesView series={series} />}
        </Answer>
      )}
    </ProjectPage>
  )
}

function SeriesView({ series }: { series: Series }) {
  const { whole, growing, levelled_off: levelled, bursts, shrinking } = series
  const timesMs = series.series.map(({ taken_at }) => Date.parse(taken_at))
  const lines = [
    { name: 'all in use', values: whole.in_use, slopePerHour: whole.slope_per_hour },
    ...[...growing, ...levelled]
      .slice(0, linesMax - 1)
      .map((site) => ({ name: nameOf(site), values: site.in_use, slopePerHour: site.slope_per_hour })),
  ]
  const lastId = series.series.at(-1)?.profile_id ?? ''
  return (
    <div className="flex flex-col gap-8">
      <p className="max-w-prose text-lg">{verdictWords(series)}</p>
      <TrendChart label="Bytes in use over time, by allocation site" timesMs={timesMs} lines={lines} />
      <Facts
        entries={{
          Profiles: timesMs.length,
          'In use': `${formatBytes(whole.in_use[0] ?? 0)} → ${formatBytes(whole.in_use.at(-1) ?? 0)}`,
          'Per hour': formatDifference(whole.slope_per_hour, 'bytes'),
          'After as long again': projectionWords(whole),
          'In all other sites': formatDifference(series.others_growth, 'bytes'),
        }}
      />
      <ul className="flex max-w-prose list-disc flex-col gap-1 pl-5 text-muted">
        {series.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <Sites
        title="Growing"
        note="What they allocate stays: look here for leaks."
        sites={growing}
        id={lastId}
      />
      <Sites
        title="Levelled off"
        note="They grew, and then no more, as a cache does that is full."
        sites={levelled}
        id={lastId}
      />
      <Sites title="Bursts" note="They took much and gave it back: no leaks." sites={bursts} id={lastId} />
      <Sites title="Shrinking" note="They keep less and less." sites={shrinking} id={lastId} />
    </div>
  )
}

interface SitesProps {
  title: string
  note: string
  sites: readonly SiteTrend[]
  id: string
}

function Sites({ title, note, sites, id }: SitesProps) {
  if (sites.length === 0) return null
  return (
    <Section title={title}>
      <p className="text-muted">{note}</p>
      <HeapSiteTable label={title} sites={sites} profileId={id} />
    </Section>
  )
}

function verdictWords({ growing }: Series): string {
  const [worst] = growing
  return worst === undefined
    ? 'No leak is seen: no site grows on and on.'
    : `A leak is ${worst.certainty}: ${nameOf(worst)} grew by ${formatBytes(worst.growth)}, in ${worst.rising_percent.toFixed(0)} % of the steps.`
}

function projectionWords({
  projected_in_use: value,
  projected_low: low,
  projected_high: high,
}: Series['whole']) {
  return low === null || high === null
    ? formatBytes(value)
    : `${formatBytes(value)} (${formatBytes(low)} to ${formatBytes(high)})`
}

function nameOf({ function_name: name, allocator }: SiteTrend): string {
  return allocator === null ? name : `${name} by ${allocator}`
}

function SeriesSkeleton() {
  return (
    <div className="flex flex-col gap-8">
      <SkeletonBlock height="18rem" />
      <SkeletonTable rows={6} />
    </div>
  )
}
