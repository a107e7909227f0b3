import { type LiveRowShape, operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { When } from '../components/when.tsx'
import { LiveLog } from '../live-apps/live-log.tsx'
import { LiveRowTable } from '../live-apps/live-row-table.tsx'
import { liveSections, type LiveSectionView, sectionInput } from '../live-apps/live-sections.ts'
import { ProjectPage } from '../shell/page.tsx'

const route = getRouteApi('/app/live-apps/$liveAppId')

const windows = [
  { id: '10', label: 'The last 10 seconds' },
  { id: '60', label: 'The last minute' },
  { id: '600', label: 'The last 10 minutes' },
  { id: '3600', label: 'The last hour' },
  { id: 'all', label: 'Since the start' },
]

/** What a running program tells: a section at a time, moving with it unless it is paused. */
export function LiveAppPage() {
  const { liveAppId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [isPaused, setPaused] = useState(false)
  const status = useAnswer(
    operations.profilerStatus,
    { live_app_id: liveAppId },
    { pollWhile: () => !isPaused },
  )
  const section = liveSections.find(({ id }) => id === search.section) ?? liveSections[0]
  const change = (part: typeof search) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false })
  const told = status.data
  const statusOf = new Map(told?.processes[0]?.sections.map((each) => [each.name, each.status]))
  return (
    <ProjectPage
      projectId={told?.project_id}
      section="live-apps"
      title={told?.app ?? 'Live app'}
      crumbs={
        told === undefined ? [] : [{ label: 'Live apps', href: `/projects/${told.project_id}/live-apps` }]
      }
      lead={
        told === undefined ? undefined : told.last_push_at === null ? (
          'Nothing was pushed yet.'
        ) : (
          <span className="flex flex-wrap gap-x-3">
            <span>
              Last push <When at={told.last_push_at} />
            </span>
            <span>{processWords(told.processes)}</span>
          </span>
        )
      }
      actions={
        <Button onPress={() => setPaused(!isPaused)} aria-pressed={isPaused}>
          {isPaused ? 'Go on' : 'Pause'}
        </Button>
      }
    >
      <nav aria-label="Sections" className="flex flex-wrap gap-1">
        {liveSections.map(({ id, title }) => (
          <Link
            key={id}
            from="/live-apps/$liveAppId"
            search={(before) => ({ ...before, section: id })}
            replace
            aria-current={id === section.id ? 'page' : undefined}
            className={`rounded-full px-3 py-1.5 hover:bg-hover aria-[current]:bg-accent-soft aria-[current]:text-accent ${
              told !== undefined && statusOf.get(id) !== 'on' ? 'text-muted' : ''
            }`}
          >
            {title}
          </Link>
        ))}
      </nav>
      <div className="flex flex-wrap items-center gap-3">
        <SearchField
          label="Find by name"
          value={search.filter ?? ''}
          onChange={(filter) => change({ filter: filter === '' ? undefined : filter })}
          className="w-72"
        />
        <Select
          label="Time"
          hideLabel
          choices={windows}
          value={search.window ?? '60'}
          onChange={(window) => change({ window })}
        />
      </div>
      <SectionView
        key={section.id}
        liveAppId={liveAppId}
        section={section}
        filter={search.filter}
        window={search.window ?? '60'}
        isPaused={isPaused}
      />
    </ProjectPage>
  )
}

function processWords(
  processes: readonly { is_pushing: boolean; name: string | null; runtime: string | null }[],
) {
  const pushing = processes.filter((each) => each.is_pushing)
  const [newest] = processes
  const what = [newest?.name, newest?.runtime].filter((word) => word != null).join(', ')
  return `${pushing.length} ${pushing.length === 1 ? 'process pushes' : 'processes push'}${what === '' ? '' : ` (${what})`}`
}

interface SectionProps {
  liveAppId: string
  section: LiveSectionView
  filter: string | undefined
  window: string
  isPaused: boolean
}

function SectionView({ liveAppId, section, filter, window, isPaused }: SectionProps) {
  const [opened, setOpened] = useState<LiveRowShape>()
  const input = {
    live_app_id: liveAppId,
    limit: 200,
    ...(window === 'all' ? {} : { last_seconds: Number(window) }),
    ...(filter === undefined ? {} : { filter }),
    ...sectionInput(section),
  }
  const query = useAnswer(section.summary, input, { keepPrevious: true, pollWhile: () => !isPaused })
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
              <LiveRowTable label="All of the process" rows={[process]} whenEmpty="" />
            )}
            <LiveRowTable
              label={section.title}
              rows={rows}
              onOpen={'logs' in section ? setOpened : undefined}
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
            {opened !== undefined && 'logs' in section ? (
              <LiveLog
                liveAppId={liveAppId}
                section={section}
                row={opened}
                isPaused={isPaused}
                onClose={() => setOpened(undefined)}
              />
            ) : null}
          </div>
        )
      }
    </Answer>
  )
}
