import { formatQuantity, operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { DeleteProfile } from '../components/delete-profile.tsx'
import { DownloadFile } from '../components/download-file.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { ExportMenu } from '../components/export-menu.tsx'
import { Facts } from '../components/facts.tsx'
import { RunStatus } from '../components/run-status.tsx'
import { ShareProfile } from '../components/share-profile.tsx'
import { SkeletonBlock, SkeletonLine } from '../components/skeleton.tsx'
import { Warnings } from '../components/warnings.tsx'
import { When } from '../components/when.tsx'
import { type Profile, ProfileViews } from '../profile-views/profile-views.tsx'
import { isHeapSnapshot, type ProfileSearch, selectionOf } from '../profile-views/view-search.ts'
import { ProjectPage } from '../shell/page.tsx'

const route = getRouteApi('/app/profiles/$profileId')

/** A profile: the ways to look at it, and where it comes from. */
export function ProfilePage() {
  const { profileId } = route.useParams()
  const search = route.useSearch()
  const query = useAnswer(
    operations.getProfile,
    { profile_id: profileId },
    { pollWhile: ({ profile }) => profile.status === 'PENDING' },
  )
  const profile = query.data?.profile
  return (
    <ProjectPage
      wide
      projectId={profile?.project_id ?? (query.error === null ? undefined : null)}
      section="profiles"
      title={profile?.name ?? 'Profile'}
      heading={profile?.name ?? (query.error === null ? <SkeletonLine width="16rem" /> : 'Profile')}
      actions={
        profile === undefined ? undefined : (
          <>
            <DownloadFile fileId={profile.file_id} />
            {profile.status === 'READY' ? (
              <ExportMenu
                name={profile.name}
                selection={{ profile_id: profile.id, ...selectionOf(search) }}
              />
            ) : null}
            <ShareProfile profile={profile} view={sharedView(search)} />
            <DeleteProfile profile={profile} />
          </>
        )
      }
    >
      <Answer query={query} skeleton={<SkeletonBlock height="32rem" />}>
        {(answer) => <ProfileView profile={answer.profile} />}
      </Answer>
    </ProjectPage>
  )
}

/** What a link keeps of the view: which samples, below what, in which direction. */
function sharedView(search: ProfileSearch) {
  return {
    ...selectionOf(search),
    ...(search.root === undefined ? {} : { root_function_name: search.root }),
    ...(search.inverted === 'true' ? { inverted: true } : {}),
  }
}

function ProfileView({ profile }: { profile: Profile }) {
  if (profile.status === 'PENDING') {
    return (
      <EmptyState title="This profile is being read">
        <p>It shows up here by itself, or waits for its file to be uploaded.</p>
      </EmptyState>
    )
  }
  if (profile.status === 'FAILED') {
    return (
      <EmptyState
        title={
          profile.problem?.code === 'cancelled'
            ? 'Reading this profile was cancelled'
            : 'This profile could not be read'
        }
      >
        <p>{profile.problem?.detail ?? 'The file is in no format that Flamegate knows.'}</p>
      </EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-8">
      <Warnings warnings={profile.warnings} />
      <Views profile={profile} />
      <ProfileFacts profile={profile} />
    </div>
  )
}

function Views({ profile }: { profile: Profile }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const show = useCallback(
    (next: ProfileSearch, isTyping: boolean) =>
      void navigate({ search: next, replace: isTyping, resetScroll: false }),
    [navigate],
  )
  return <ProfileViews profile={profile} search={search} onSearch={show} />
}

function ProfileFacts({ profile }: { profile: Profile }) {
  return (
    <Facts
      entries={{
        Run:
          profile.run_id === null ? null : (
            <Link to="/runs/$runId" params={{ runId: profile.run_id }} className="text-link">
              Show the run
            </Link>
          ),
        Benchmark:
          profile.benchmark_id === null ? null : (
            <Link
              to="/benchmarks/$benchmarkId"
              params={{ benchmarkId: profile.benchmark_id }}
              search={profile.run_id === null ? {} : { run: profile.run_id }}
              className="text-link"
            >
              Show the benchmark
            </Link>
          ),
        Status: <RunStatus status={profile.status} />,
        Type: profile.type,
        Format: profile.format,
        Duration: profile.duration_ms === null ? null : formatQuantity(profile.duration_ms, 'ms'),
        [isHeapSnapshot(profile) ? 'Objects' : 'Samples']: profile.sample_count.toLocaleString(),
        'Call-tree nodes': profile.node_count.toLocaleString(),
        Labels: Object.keys(profile.labels).join(', '),
        Tags: profile.tags.join(', '),
        Uploaded: <When at={profile.created_at} />,
      }}
    />
  )
}
