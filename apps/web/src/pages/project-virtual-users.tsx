import { operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Answer } from '../components/answer.tsx'
import { Button, buttonClass } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { CloseIcon } from '../components/icons.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { SearchField } from '../components/search-field.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { ToggleButton } from '../components/toggle-button.tsx'
import { usePages } from '../paged.ts'
import { useTypedWords } from '../profile-views/use-typed-words.ts'
import { DesignTabs } from '../shell/design-tabs.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import { NewVirtualUser } from '../virtual-users/new-virtual-user.tsx'
import { VirtualUserTable } from '../virtual-users/virtual-user-table.tsx'

const route = getRouteApi('/app/projects/$projectId/virtual-users')

/** The virtual users of a project, and the ways to new ones. */
export function ProjectVirtualUsersPage() {
  const { projectId } = route.useParams()
  const { search, tag, deleted } = route.useSearch()
  const navigate = route.useNavigate()
  const mayChange = useMayInProject(projectId, 'member')
  const areDeleted = deleted === 'yes'
  const change = (part: Partial<ReturnType<typeof route.useSearch>>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false })
  const [typed, setTyped] = useTypedWords(search, (words) => change({ search: words }))
  const { query, more } = usePages(
    operations.listVirtualUsers,
    {
      project_id: projectId,
      deleted: areDeleted,
      ...(search === undefined ? {} : { search }),
      ...(tag === undefined ? {} : { tag }),
    },
    ({ virtual_users, next_cursor }) => ({ rows: virtual_users, nextCursor: next_cursor }),
  )
  const isFiltered = areDeleted || search !== undefined || tag !== undefined
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
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          label="Find a virtual user"
          value={typed}
          onChange={setTyped}
          className="w-64 max-sm:grow"
        />
        {tag === undefined ? null : (
          <Button onPress={() => change({ tag: '' })} aria-label={`No longer only those tagged ${tag}`}>
            {tag}
            <CloseIcon />
          </Button>
        )}
        <ToggleButton
          isSelected={areDeleted}
          onChange={(isSelected) => change({ deleted: isSelected ? 'yes' : '' })}
        >
          Deleted
        </ToggleButton>
      </div>
      <Answer query={query} skeleton={<SkeletonTable rows={6} />}>
        {(users) =>
          users.length === 0 && !isFiltered ? (
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
                areDeleted={areDeleted}
                mayChange={mayChange}
                onTag={(next) => change({ tag: next })}
                whenEmpty={areDeleted ? 'Nothing was deleted.' : 'No virtual users that fit.'}
              />
              <LoadMore {...more} />
            </>
          )
        }
      </Answer>
    </ProjectPage>
  )
}
