import { operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button, buttonClass } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { CloseIcon } from '../components/icons.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { DeleteRecording } from '../live-apps/delete-recording.tsx'
import { type LiveRecording, RecordingTable } from '../live-apps/recording-table.tsx'
import { usePages } from '../paged.ts'
import { LiveTabs } from '../shell/design-tabs.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/projects/$projectId/live-recordings')

/** Times of the live apps of a project that were kept. */
export function ProjectLiveRecordingsPage() {
  const { projectId } = route.useParams()
  const { app } = route.useSearch()
  const navigate = route.useNavigate()
  const mayChange = useMayInProject(projectId, 'member')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [deleted, setDeleted] = useState<LiveRecording>()
  const apps = useAnswer(operations.listLiveApps, { project_id: projectId }, { enabled: app !== undefined })
  const appName = apps.data?.live_apps.find(({ id }) => id === app)?.name ?? app
  const { query, more } = usePages(
    operations.listLiveRecordings,
    { project_id: projectId, ...(app === undefined ? {} : { live_app_id: app }) },
    ({ live_recordings, next_cursor }) => ({ rows: live_recordings, nextCursor: next_cursor }),
  )
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id])
  return (
    <ProjectPage
      projectId={projectId}
      section="live-apps"
      title="Recordings of live apps"
      lead="What programs did in times that somebody wanted to keep"
    >
      <LiveTabs projectId={projectId} current="live-recordings" />
      {app === undefined ? null : (
        <Button
          onPress={() => void navigate({ search: {}, replace: true })}
          aria-label={`No longer only those of ${appName}`}
          className="self-start"
        >
          {appName}
          <CloseIcon />
        </Button>
      )}
      <Answer query={query} skeleton={<SkeletonTable rows={4} />}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title="No recordings yet">
              <p>
                Open a live app and press Pin, and what it just did is kept, to be looked at and compared when
                the app has long forgotten it.
              </p>
            </EmptyState>
          ) : (
            <>
              <RecordingTable
                rows={rows}
                chosen={chosen}
                onToggle={toggle}
                onDelete={mayChange ? setDeleted : undefined}
              />
              <LoadMore {...more} />
              <Chosen ids={chosen} onClear={() => setChosen([])} />
            </>
          )
        }
      </Answer>
      {deleted === undefined ? null : (
        <DeleteRecording
          recording={deleted}
          onDeleted={() => setChosen(chosen.filter((id) => id !== deleted.id))}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </ProjectPage>
  )
}

/** A bar with the way from two chosen recordings to their comparison; nothing when none is chosen. */
function Chosen({ ids, onClear }: { ids: readonly string[]; onClear: () => void }) {
  const [base, head] = ids
  if (base === undefined) return null
  return (
    <section
      aria-label="Chosen recordings"
      className="sticky bottom-3 z-20 mt-3 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-surface p-3 shadow-floating"
    >
      {head !== undefined && ids.length === 2 ? (
        <Link to="/live-apps/compare" search={{ base, head }} className={buttonClass('primary')}>
          Compare
        </Link>
      ) : null}
      <Button onPress={onClear}>Choose none</Button>
      <output className="ml-1 text-muted">
        {ids.length === 2
          ? 'The one that was chosen first is the base.'
          : ids.length === 1
            ? 'Choose another one to compare it with.'
            : 'Two can be compared.'}
      </output>
    </section>
  )
}
