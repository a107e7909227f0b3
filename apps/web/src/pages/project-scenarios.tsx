import { operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { CloseIcon } from '../components/icons.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { SearchField } from '../components/search-field.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { ToggleButton } from '../components/toggle-button.tsx'
import { usePages } from '../paged.ts'
import { useTypedWords } from '../profile-views/use-typed-words.ts'
import { NewScenario } from '../scenarios/new-scenario.tsx'
import { ScenarioTable } from '../scenarios/scenario-table.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/projects/$projectId/scenarios')

/** The scenarios of a project. */
export function ProjectScenariosPage() {
  const { projectId } = route.useParams()
  const { search, tag, deleted } = route.useSearch()
  const navigate = route.useNavigate()
  const mayChange = useMayInProject(projectId, 'member')
  const areDeleted = deleted === 'yes'
  const change = (part: Partial<ReturnType<typeof route.useSearch>>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false })
  const [typed, setTyped] = useTypedWords(search, (words) => change({ search: words }))
  const { query, more } = usePages(
    operations.listScenarios,
    {
      project_id: projectId,
      deleted: areDeleted,
      ...(search === undefined ? {} : { search }),
      ...(tag === undefined ? {} : { tag }),
    },
    ({ scenarios, next_cursor }) => ({ rows: scenarios, nextCursor: next_cursor }),
  )
  const isFiltered = areDeleted || search !== undefined || tag !== undefined
  return (
    <ProjectPage
      projectId={projectId}
      section="scenarios"
      title="Scenarios"
      lead="Which virtual users put how much load on a system, and what it must keep to"
      actions={mayChange ? <NewScenario projectId={projectId} /> : undefined}
    >
      <div className="flex flex-wrap items-center gap-2">
        <SearchField label="Find a scenario" value={typed} onChange={setTyped} className="w-64 max-sm:grow" />
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
        <span className="ml-auto flex flex-wrap gap-4">
          <Link to="/projects/$projectId/sla-profiles" params={{ projectId }} className="text-link">
            SLA profiles
          </Link>
          <Link to="/projects/$projectId/monitors" params={{ projectId }} className="text-link">
            Monitors
          </Link>
          <Link to="/projects/$projectId/schedules" params={{ projectId }} className="text-link">
            Schedules
          </Link>
        </span>
      </div>
      <Answer query={query} skeleton={<SkeletonTable rows={6} />}>
        {(scenarios) =>
          scenarios.length === 0 && !isFiltered ? (
            <EmptyState title="No scenarios yet">
              <p>
                A scenario puts virtual users under a load: so many users, or so many arrivals a second, over
                time. An agent makes one with create_scenario.
              </p>
            </EmptyState>
          ) : (
            <>
              <ScenarioTable
                rows={scenarios}
                areDeleted={areDeleted}
                mayChange={mayChange}
                onTag={(next) => change({ tag: next })}
                whenEmpty={areDeleted ? 'Nothing was deleted.' : 'No scenarios that fit.'}
              />
              <LoadMore {...more} />
            </>
          )
        }
      </Answer>
    </ProjectPage>
  )
}
