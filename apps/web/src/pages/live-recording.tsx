import { operations } from '@flamegate/contract'
import { durationText } from '@flamegate/loadtest/scenario'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { buttonClass } from '../components/button.tsx'
import { MoreActions } from '../components/more-actions.tsx'
import { SearchField } from '../components/search-field.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { DeleteRecording } from '../live-apps/delete-recording.tsx'
import { LiveSection } from '../live-apps/live-section.tsx'
import { liveSections } from '../live-apps/live-sections.ts'
import { lengthMs, type LiveRecording } from '../live-apps/recording-table.tsx'
import { SectionTabs } from '../live-apps/section-tabs.tsx'
import { useTypedWords } from '../profile-views/use-typed-words.ts'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/live-recordings/$liveRecordingId')
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** What a live app told in a time that was kept: a section at a time, as the page of the app shows it. */
export function LiveRecordingPage() {
  const { liveRecordingId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [words, setWords] = useTypedWords(
    search.filter,
    (filter) =>
      void navigate({ search: (before) => ({ ...before, filter }), replace: true, resetScroll: false }),
  )
  const query = useAnswer(operations.getLiveRecording, { live_recording_id: liveRecordingId })
  const recording = query.data?.live_recording
  const told = recording === undefined ? undefined : new Set(recording.sections)
  const section =
    liveSections.find(({ id }) => id === search.section) ??
    liveSections.find(({ id }) => told?.has(id) ?? true) ??
    liveSections[0]
  return (
    <ProjectPage
      projectId={recording?.project_id ?? (query.error === null ? undefined : null)}
      section="live-apps"
      title={recording?.name ?? 'Recording'}
      crumbs={
        recording === undefined
          ? []
          : [
              { label: 'Live apps', href: `/projects/${recording.project_id}/live-apps` },
              { label: 'Recordings', href: `/projects/${recording.project_id}/live-recordings` },
            ]
      }
      lead={recording === undefined ? undefined : <Lead recording={recording} />}
      actions={recording === undefined ? undefined : <Actions recording={recording} />}
    >
      <Answer query={query} skeleton={<SkeletonTable rows={8} />}>
        {() => (
          <div className="flex flex-col gap-6">
            <SectionTabs current={section.id} told={told} />
            <SearchField label="Find by name" value={words} onChange={setWords} className="w-72" />
            <LiveSection
              key={section.id}
              sourceId={liveRecordingId}
              section={section}
              filter={search.filter}
              windowSeconds={undefined}
              isPaused
              isRecording
            />
          </div>
        )}
      </Answer>
    </ProjectPage>
  )
}

function Lead({ recording }: { recording: LiveRecording }) {
  const { app, live_app_id: appId, project_id: projectId, to, processes, note } = recording
  const apps = useAnswer(operations.listLiveApps, { project_id: projectId }).data?.live_apps ?? []
  return (
    <span className="flex max-w-3xl flex-col gap-1">
      <span className="flex flex-wrap gap-x-3">
        {apps.some(({ id }) => id === appId) ? (
          <Link to="/live-apps/$liveAppId" params={{ liveAppId: appId }} className="text-link">
            {app}
          </Link>
        ) : (
          // It may be deleted since.
          <span>{app}</span>
        )}
        <span>
          {durationText(lengthMs(recording))} up to {exact.format(new Date(to))}
        </span>
        <span>
          {processes} {processes === 1 ? 'process' : 'processes'}
        </span>
      </span>
      {note === null ? null : <span className="whitespace-pre-line">{note}</span>}
    </span>
  )
}

function Actions({ recording }: { recording: LiveRecording }) {
  const navigate = useNavigateToList(recording.project_id)
  const mayChange = useMayInProject(recording.project_id, 'member')
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      <Link to="/live-apps/compare" search={{ base: recording.id }} className={buttonClass()}>
        Compare…
      </Link>
      {mayChange ? (
        <MoreActions
          of={recording.name}
          actions={[{ label: 'Delete…', onAction: () => setDeleting(true) }]}
        />
      ) : null}
      {isDeleting ? (
        <DeleteRecording recording={recording} onDeleted={navigate} onClose={() => setDeleting(false)} />
      ) : null}
    </>
  )
}

function useNavigateToList(projectId: string): () => void {
  const navigate = route.useNavigate()
  return () => void navigate({ to: '/projects/$projectId/live-recordings', params: { projectId } })
}
