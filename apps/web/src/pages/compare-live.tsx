import { type AnswerOf, idPrefixes, operations, spanText } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Section } from '../components/section.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { useFilterWords } from '../filter-words.ts'
import { AmountsTable, GrowingTable, TimesTable } from '../live-apps/compared-tables.tsx'
import { sectionTitle } from '../live-apps/live-sections.ts'
import { MomentPicker } from '../live-apps/moment-picker.tsx'
import { ProjectPage } from '../shell/page.tsx'

const route = getRouteApi('/app/live-apps/compare')

type Comparison = AnswerOf<typeof operations.compareLiveMoments>

const rowsMax = 100
const lengths = [
  { id: 'usual', label: 'A minute; recordings whole' },
  { id: '10', label: '10 seconds each' },
  { id: '60', label: 'A minute each' },
  { id: '600', label: '10 minutes each' },
  { id: '3600', label: 'An hour each' },
]

/** What changed between two moments of a live app, two apps, or recordings of them. */
export function CompareLivePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { head, base } = search
  const change = (part: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false })
  const source = head ?? base
  const status = useAnswer(
    operations.profilerStatus,
    { live_app_id: source ?? '' },
    { enabled: source !== undefined },
  )
  // What an app did before is known; a recording has nothing before it.
  const isChosen = head !== undefined && (base !== undefined || !isRecording(head))
  const query = useAnswer(
    operations.compareLiveMoments,
    {
      live_app_id: head ?? '',
      limit: rowsMax,
      ...(base === undefined ? {} : { base_live_app_id: base }),
      ...(search.until === undefined ? {} : { until: search.until }),
      ...(search.base_until === undefined ? {} : { base_until: search.base_until }),
      ...(lengths.some(({ id }) => id === search.seconds) && search.seconds !== 'usual'
        ? { last_seconds: Number(search.seconds) }
        : {}),
    },
    { enabled: isChosen, keepPrevious: true },
  )
  const projectId = status.data?.project_id
  return (
    <ProjectPage
      projectId={projectId ?? (source === undefined || status.error !== null ? null : undefined)}
      section="live-apps"
      title="Compare live metrics"
      crumbs={
        projectId === undefined ? [] : [{ label: 'Live apps', href: `/projects/${projectId}/live-apps` }]
      }
      actions={
        isChosen ? (
          <>
            <Button
              isDisabled={base === undefined}
              onPress={() =>
                change({ base: head, head: base, until: search.base_until, base_until: search.until })
              }
            >
              Swap base and head
            </Button>
            <Button onPress={() => void query.refetch()} isDisabled={query.isFetching}>
              Ask again
            </Button>
          </>
        ) : undefined
      }
    >
      {projectId === undefined ? null : (
        <div className="grid gap-3 lg:grid-cols-2">
          <MomentPicker
            legend="Base"
            projectId={projectId}
            source={base}
            unchosen={head === undefined || isRecording(head) ? 'Choose …' : 'The same, before that'}
            until={search.base_until}
            untilHint={base === undefined ? 'Else right before the other' : 'Else the last push, or the end'}
            // Another source has other times.
            onSource={(id) => change({ base: id, base_until: undefined })}
            onUntil={(until) => change({ base_until: until })}
          />
          <MomentPicker
            legend="Head"
            projectId={projectId}
            source={head}
            {...(head === undefined ? { unchosen: 'Choose …' } : {})}
            until={search.until}
            untilHint="Else the last push, or the end"
            onSource={(id) => change({ head: id, until: undefined })}
            onUntil={(until) => change({ until })}
          />
        </div>
      )}
      {isChosen ? (
        <Answer query={query} skeleton={<SkeletonTable rows={8} />}>
          {(comparison) => <ComparisonView comparison={comparison} />}
        </Answer>
      ) : (
        <EmptyState title="Choose what to compare">
          <p>
            Two moments of a live app, two apps, or recordings: press Compare on the page of an app, or tick
            two recordings.
          </p>
        </EmptyState>
      )}
    </ProjectPage>
  )
}

function isRecording(id: string): boolean {
  return id.startsWith(`${idPrefixes.liveRecording}_`)
}

function ComparisonView({ comparison }: { comparison: Comparison }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (part: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false })
  const keepWords = useCallback(
    (filter: string) =>
      void navigate({ search: (before) => ({ ...before, filter }), replace: true, resetScroll: false }),
    [navigate],
  )
  const { words, setWords, filter } = useFilterWords(search.filter, keepWords)
  const { times, amounts, growing, growing_over: over, notes } = comparison
  const sections = [...new Set([...times, ...amounts, ...growing].map(({ section }) => section))]
  const fits = ({ section, name }: { section: string; name: string }) =>
    (search.section === undefined || section === search.section) &&
    name.toLowerCase().includes(filter.toLowerCase())
  const isFiltered = filter !== '' || search.section !== undefined
  const whenEmpty = (otherwise: string) => (isFiltered ? 'Nothing here fits the filter.' : otherwise)
  return (
    <div className="flex flex-col gap-8">
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-3">
          <SearchField label="Find by name" value={words} onChange={setWords} className="w-72" />
          <Select
            label="Section"
            hideLabel
            choices={[
              { id: 'all', label: 'All sections' },
              ...[...new Set([...sections, ...(search.section === undefined ? [] : [search.section])])].map(
                (id) => ({ id, label: sectionTitle(id) }),
              ),
            ]}
            value={search.section ?? 'all'}
            onChange={(id) => change({ section: id === 'all' ? undefined : id })}
          />
          <Select
            label="Length"
            hideLabel
            choices={lengths}
            value={lengths.some(({ id }) => id === search.seconds) ? (search.seconds ?? '') : 'usual'}
            onChange={(id) => change({ seconds: id === 'usual' ? undefined : id })}
          />
        </div>
        <p className="text-muted">
          {momentWords(comparison.base)}, then {momentWords(comparison.head)}.
        </p>
        {notes.map((note) => (
          <p key={note} className="text-sm text-muted">
            {note}
          </p>
        ))}
      </div>
      <Section title="Growing steadily">
        <p className="text-sm text-muted">
          What rose nearly all the time for {spanText((Date.parse(over.to) - Date.parse(over.from)) / 1000)}:
          memory that is never given back, queues that fill.
        </p>
        <GrowingTable
          sourceId={comparison.live_app_id}
          rows={growing.filter(fits)}
          sort={search.growing}
          onSort={(sort) => change({ growing: sort })}
          whenEmpty={whenEmpty('Nothing rises all the time.')}
        />
      </Section>
      <Section title="Slower and faster">
        <TimesTable
          sourceId={comparison.live_app_id}
          rows={times.filter(fits)}
          sort={search.times}
          onSort={(sort) => change({ times: sort })}
          whenEmpty={whenEmpty('No mean time changed by more than 5 %.')}
        />
        {times.some(({ is_percentiles_of_times: isOfTimes }) => !isOfTimes) ? (
          <p className="text-sm text-muted">
            Some percentiles are of all that the program did until then: it tells no others.
          </p>
        ) : null}
      </Section>
      <Section title="Amounts">
        <AmountsTable
          sourceId={comparison.live_app_id}
          rows={amounts.filter(fits)}
          sort={search.amounts}
          onSort={(sort) => change({ amounts: sort })}
          whenEmpty={whenEmpty('No amount changed by more than 5 %.')}
        />
      </Section>
    </div>
  )
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

function momentWords({ from, to, seconds }: Comparison['base']): string {
  return from === null || to === null
    ? 'nothing was told'
    : `${spanText(seconds)} up to ${exact.format(new Date(to))}`
}
