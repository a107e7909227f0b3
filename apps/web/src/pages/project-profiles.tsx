import { operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { Answer } from '../components/answer.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { ProfileTable } from '../components/profile-table.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { usePages } from '../paged.ts'
import { ProjectPage } from '../shell/page.tsx'

const route = getRouteApi('/app/projects/$projectId/profiles')
const anyType = 'any'
const commonTypes = ['cpu', 'heap', 'allocs', 'mutex', 'block', 'goroutine']

/** The profiles of a project, by type. */
export function ProjectProfilesPage() {
  const { projectId } = route.useParams()
  const { type } = route.useSearch()
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
        onChange={(chosen) => void navigate({ search: chosen === anyType ? {} : { type: chosen } })}
        choices={[{ id: anyType, label: 'All types' }, ...types.map((id) => ({ id, label: id }))]}
      />
      <Answer query={query} skeleton={<SkeletonTable rows={10} />}>
        {(profiles) => (
          <>
            <ProfileTable
              profiles={profiles}
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
