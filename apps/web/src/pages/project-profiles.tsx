import { operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Answer } from '../components/answer.tsx'
import { Button, buttonClass } from '../components/button.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { type Profile, ProfileTable } from '../components/profile-table.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { usePages } from '../paged.ts'
import { idsIn, toggledId } from '../profiles/ids-in-address.ts'
import { ProjectPage } from '../shell/page.tsx'

const route = getRouteApi('/app/projects/$projectId/profiles')
const anyType = 'any'
const commonTypes = ['cpu', 'heap', 'allocs', 'mutex', 'block', 'goroutine']

/** The profiles of a project, by type. */
export function ProjectProfilesPage() {
  const { projectId } = route.useParams()
  const { type, chosen } = route.useSearch()
  const navigate = route.useNavigate()
  const { query, more } = usePages(
    operations.listProfiles,
    { project_id: projectId, limit: 50, ...(type === undefined ? {} : { type }) },
    ({ profiles, next_cursor }) => ({ rows: profiles, nextCursor: next_cursor }),
  )
  const types = [...new Set([...commonTypes, ...(type === undefined ? [] : [type])])]
  return (
    <ProjectPage projectId={projectId} section="profiles" title="Profiles">
      <Select
        label="Type of profile"
        hideLabel
        className="w-44"
        value={type ?? anyType}
        onChange={(next) => void navigate({ search: next === anyType ? {} : { type: next } })}
        choices={[{ id: anyType, label: 'All types' }, ...types.map((id) => ({ id, label: id }))]}
      />
      <Answer query={query} skeleton={<SkeletonTable rows={10} />}>
        {(profiles) => (
          <>
            <ChosenProfiles
              chosen={idsIn(chosen)}
              profiles={profiles}
              onClear={() =>
                void navigate({ search: (before) => ({ ...before, chosen: '' }), replace: true })
              }
            />
            <ProfileTable
              profiles={profiles}
              chosen={idsIn(chosen)}
              onToggle={(id) =>
                void navigate({
                  search: (before) => ({ ...before, chosen: toggledId(before.chosen, id) }),
                  replace: true,
                  resetScroll: false,
                })
              }
              whenEmpty={
                type === undefined
                  ? 'No profiles yet. An agent uploads them with create_profile_upload.'
                  : `No ${type} profiles.`
              }
            />
            <LoadMore {...more} />
          </>
        )}
      </Answer>
    </ProjectPage>
  )
}

interface ChosenProps {
  chosen: readonly string[]
  profiles: readonly Profile[]
  onClear: () => void
}

/** What can be done with the profiles that are ticked; in the order in which they were taken. */
function ChosenProfiles({ chosen, profiles, onClear }: ChosenProps) {
  const ids = profiles
    .filter(({ id }) => chosen.includes(id))
    .toSorted((a, b) => timeOf(a) - timeOf(b))
    .map(({ id }) => id)
  const [base = '', head = ''] = ids
  return (
    <div className="mb-3 flex min-h-9 flex-wrap items-center gap-3">
      {ids.length === 0 ? (
        <p className="text-sm text-muted">Tick two profiles to compare them, or a series of heap profiles.</p>
      ) : (
        <>
          <output className="text-muted">{ids.length} chosen</output>
          {ids.length === 2 ? (
            <Link to="/profiles/compare" search={{ base, head }} className={buttonClass('primary')}>
              Compare
            </Link>
          ) : null}
          {ids.length >= 3 ? (
            <Link
              to="/profiles/heap-series"
              search={{ ids: ids.join(',') }}
              className={buttonClass('primary')}
            >
              Heap over time
            </Link>
          ) : null}
          <Button onPress={onClear}>Choose none</Button>
        </>
      )}
    </div>
  )
}

function timeOf({ started_at, created_at }: Profile): number {
  return Date.parse(started_at ?? created_at)
}
