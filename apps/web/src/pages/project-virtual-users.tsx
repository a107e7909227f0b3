import { operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Answer } from '../components/answer.tsx'
import { buttonClass } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { DesignFilter } from '../design/design-filter.tsx'
import { type DesignSearch, isFiltered, wantedOf } from '../design/design-search.ts'
import { usePages } from '../paged.ts'
import { DesignTabs } from '../shell/design-tabs.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import { NewVirtualUser } from '../virtual-users/new-virtual-user.tsx'
import { VirtualUserTable } from '../virtual-users/virtual-user-table.tsx'

const route = getRouteApi('/app/projects/$projectId/virtual-users')

/** The virtual users of a project, and the ways to new ones. */
export function ProjectVirtualUsersPage() {
  const { projectId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const mayChange = useMayInProject(projectId, 'member')
  const wanted = wantedOf(search)
  const change = (part: DesignSearch) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false })
  const { query, more } = usePages(
    operations.listVirtualUsers,
    { project_id: projectId, ...wanted },
    ({ virtual_users, next_cursor }) => ({ rows: virtual_users, nextCursor: next_cursor }),
  )
  return (
    <ProjectPage
      projectId={projectId}
      section="virtual-users"
      title="Virtual users"
      lead="What one user of a system does, request by request"
      actions={
        mayChange ? (
          <>
            <NewVirtualUser projectId={projectId} />
            <Link
              to="/projects/$projectId/virtual-users/import"
              params={{ projectId }}
              className={buttonClass('primary')}
            >
              Import
            </Link>
          </>
        ) : undefined
      }
    >
      <DesignTabs projectId={projectId} current="virtual-users" />
      <DesignFilter label="Find a virtual user" search={search} onChange={change} />
      <Answer query={query} skeleton={<SkeletonTable rows={6} />}>
        {(users) =>
          users.length === 0 && !isFiltered(search) ? (
            <EmptyState title="No virtual users yet">
              <p>
                Import a recording or a test: HAR of a browser, JMeter, Postman, Playwright, Selenium IDE,
                OpenAPI, cURL lines, or a list of addresses. An agent does it with import_virtual_user.
              </p>
            </EmptyState>
          ) : (
            <>
              <VirtualUserTable
                rows={users}
                areDeleted={wanted.deleted}
                mayChange={mayChange}
                onTag={(next) => change({ tag: next })}
                whenEmpty={wanted.deleted ? 'Nothing was deleted.' : 'No virtual users that fit.'}
              />
              <LoadMore {...more} />
            </>
          )
        }
      </Answer>
    </ProjectPage>
  )
}
