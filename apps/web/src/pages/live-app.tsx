import { operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { Button, buttonClass } from '../components/button.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Select } from '../components/select.tsx'
import { When } from '../components/when.tsx'
import { AlertingNow } from '../live-alerts/alerting-now.tsx'
import { SetThresholds } from '../live-alerts/live-thresholds.tsx'
import { LiveSection } from '../live-apps/live-section.tsx'
import { liveSections, toldSections } from '../live-apps/live-sections.ts'
import { liveWindows, secondsOf } from '../live-apps/live-windows.ts'
import { PinRecording } from '../live-apps/pin-recording.tsx'
import { SectionTabs } from '../live-apps/section-tabs.tsx'
import { useTypedWords } from '../profile-views/use-typed-words.ts'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/live-apps/$liveAppId')

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
  const [words, setWords] = useTypedWords(search.filter, (filter) => change({ filter }))
  const told = status.data
  const mayChange = useMayInProject(told?.project_id, 'member')
  const window = search.window ?? '60'
  return (
    <ProjectPage
      projectId={told?.project_id ?? (status.error === null ? undefined : null)}
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
        <>
          <Button onPress={() => setPaused(!isPaused)} aria-pressed={isPaused}>
            {isPaused ? 'Go on' : 'Pause'}
          </Button>
          <Link to="/live-apps/compare" search={{ head: liveAppId }} className={buttonClass()}>
            Compare…
          </Link>
          {told === undefined ? null : (
            <Link
              to="/projects/$projectId/live-recordings"
              params={{ projectId: told.project_id }}
              search={{ app: liveAppId }}
              className={buttonClass()}
            >
              Recordings
            </Link>
          )}
          {mayChange && told !== undefined ? (
            <SetThresholds
              place={{ target: 'live_app', project_id: told.project_id, live_app_id: liveAppId }}
            />
          ) : null}
          {mayChange ? <PinRecording liveAppId={liveAppId} windowSeconds={secondsOf(window)} /> : null}
        </>
      }
    >
      {told === undefined ? null : <AlertingNow projectId={told.project_id} liveAppId={liveAppId} />}
      <SectionTabs current={section.id} told={toldSections(told)} />
      <div className="flex flex-wrap items-center gap-3">
        <SearchField label="Find by name" value={words} onChange={setWords} className="w-72" />
        <Select
          label="Time"
          hideLabel
          choices={[...liveWindows, { id: 'all', label: 'Since the start' }]}
          value={window}
          onChange={(chosen) => change({ window: chosen })}
        />
      </div>
      <LiveSection
        key={section.id}
        sourceId={liveAppId}
        section={section}
        filter={search.filter}
        windowSeconds={secondsOf(window)}
        isPaused={isPaused}
        isRecording={false}
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
