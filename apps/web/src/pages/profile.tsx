import { ApiProblem } from '@flamegate/client'
import { type AnswerOf, formatQuantity, operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { DeleteProfile } from '../components/delete-profile.tsx'
import { DownloadFile } from '../components/download-file.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Facts } from '../components/facts.tsx'
import { HotSpots } from '../components/hot-spots.tsx'
import { RunStatus } from '../components/run-status.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonBlock, SkeletonLine } from '../components/skeleton.tsx'
import { ToggleButton } from '../components/toggle-button.tsx'
import { Warnings } from '../components/warnings.tsx'
import { When } from '../components/when.tsx'
import { FlameGraph } from '../flame-graph/flame-graph.tsx'
import { ProjectPage } from '../shell/page.tsx'

const route = getRouteApi('/app/profiles/$profileId')

type Profile = AnswerOf<typeof operations.getProfile>['profile']

/** A profile: its flame graph, its hot spots and where it comes from. */
export function ProfilePage() {
  const { profileId } = route.useParams()
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
      <Graph profile={profile} />
    </div>
  )
}

function Graph({ profile }: { profile: Profile }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const isInverted = search.inverted === 'true'
  const sampleType = search.type ?? profile.default_sample_type ?? undefined
  const query = useAnswer(
    operations.generateFlamegraph,
    {
      profile_id: profile.id,
      inverted: isInverted,
      max_nodes: 20_000,
      ...(search.type === undefined ? {} : { sample_type: search.type }),
      ...(search.root === undefined ? {} : { root_function_name: search.root }),
    },
    { keepPrevious: true },
  )
  const change = (part: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...part }, resetScroll: false })
  const [words, setWords] = useState(search.search ?? '')
  useEffect(() => {
    // The address follows what is typed, after a moment, so that it can be handed on.
    if (words === (search.search ?? '')) return undefined
    const timer = setTimeout(
      () => void navigate({ search: { ...search, search: words }, replace: true, resetScroll: false }),
      250,
    )
    return () => clearTimeout(timer)
  }, [words, search, navigate])
  return (
    <>
      <section aria-label="Flame graph" className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-3">
          {profile.sample_types.length > 1 ? (
            <Select
              label="Sample type"
              hideLabel
              className="w-48"
              value={sampleType ?? ''}
              onChange={(type) => change({ type })}
              choices={profile.sample_types.map(({ type, unit, total }) => ({
                id: type,
                label: type,
                note: formatQuantity(total, unit),
              }))}
            />
          ) : (
            <Badge>{sampleType ?? 'samples'}</Badge>
          )}
          <ToggleButton
            isSelected={isInverted}
            onChange={(chosen) => change({ inverted: chosen ? 'true' : undefined })}
          >
            Inverted
          </ToggleButton>
          <p className="text-sm text-muted max-sm:hidden">
            {isInverted ? 'Functions on top, their callers below.' : 'Callers on top, what they call below.'}{' '}
            Press a frame to zoom in; <kbd>Esc</kbd> zooms out, <kbd>/</kbd> searches.
          </p>
        </div>
        {isUnknownRoot(query.error) ? (
          <EmptyState title={`${search.root} is not in this profile`}>
            <Button onPress={() => change({ root: undefined })}>Show the whole profile</Button>
          </EmptyState>
        ) : query.data !== undefined && query.data.nodes.parent.length === 0 ? (
          <EmptyState title="No samples of this type" />
        ) : (
          <Answer query={query} skeleton={<SkeletonBlock height="32rem" />}>
            {(graph) => (
              <>
                <FlameGraph
                  graph={graph}
                  unit={graph.unit}
                  label={`Flame graph of ${profile.name}, ${graph.sample_type}`}
                  search={words}
                  onSearch={setWords}
                  root={search.root}
                  onRoot={(root) => change({ root })}
                />
                {graph.truncated ? (
                  <p className="mt-2 text-sm text-muted">
                    {graph.omitted_node_count.toLocaleString()} of the smallest frames are left out. “Show
                    only below this” brings those of a function.
                  </p>
                ) : null}
              </>
            )}
          </Answer>
        )}
      </section>
      <ProfileFacts profile={profile} />
      <HotSpots
        profileId={profile.id}
        sampleType={search.type}
        onChoose={(name) => {
          setWords(name)
          window.scrollTo({ top: 0, behavior: 'smooth' })
        }}
      />
    </>
  )
}

function isUnknownRoot(error: Error | null): boolean {
  return error instanceof ApiProblem && error.code === 'function_not_found'
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
        Samples: profile.sample_count.toLocaleString(),
        'Call-tree nodes': profile.node_count.toLocaleString(),
        Labels: Object.keys(profile.labels).join(', '),
        Tags: profile.tags.join(', '),
        Uploaded: <When at={profile.created_at} />,
      }}
    />
  )
}
