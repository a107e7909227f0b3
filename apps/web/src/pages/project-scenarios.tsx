import { operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Answer } from '../components/answer.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { DesignFilter } from '../design/design-filter.tsx'
import { type DesignSearch, isFiltered, wantedOf } from '../design/design-search.ts'
import { usePages } from '../paged.ts'
import { NewScenario } from '../scenarios/new-scenario.tsx'
import { ScenarioTable } from '../scenarios/scenario-table.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/projects/$projectId/scenarios')

/** The scenarios of a project. */
export function ProjectScenariosPage() {
  const { projectId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const mayChange = useMayInProject(projectId, 'member')
  const wanted = wantedOf(search)
  const change = (part: DesignSearch) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false })
  const { query, more } = usePages(
    operations.listScenarios,
    { project_id: projectId, ...wanted },
    ({ scenarios, next_cursor }) => ({ rows: scenarios, nextCursor: next_cursor }),
  )
  return (
    <ProjectPage
      projectId={projectId}
      section="scenarios"
      title="Scenarios"
      lead="Which virtual users put how much load on a system, and what it must keep to"
      actions={mayChange ? <NewScenario projectId={projectId} /> : undefined}
    >
      <DesignFilter label="Find a scenario" search={search} onChange={change}>
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
      </DesignFilter>
      <Answer query={query} skeleton={<SkeletonTable rows={6} />}>
        {(scenarios) =>
          scenarios.length === 0 && !isFiltered(search) ? (
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
                areDeleted={wanted.deleted}
                mayChange={mayChange}
                onTag={(next) => change({ tag: next })}
                whenEmpty={wanted.deleted ? 'Nothing was deleted.' : 'No scenarios that fit.'}
              />
              <LoadMore {...more} />
            </>
          )
        }
      </Answer>
    </ProjectPage>
  )
}
