import { operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { BenchResultTable } from '../bench-results/bench-result-table.tsx'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { CloseIcon } from '../components/icons.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { useNews } from '../live/use-news.ts'
import { usePages } from '../paged.ts'
import { CompareRuns } from '../reports/compare-runs.tsx'
import { ImportResults } from '../reports/import-results.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/projects/$projectId/bench-results')

/** The load tests of a project. */
export function ProjectBenchResultsPage() {
  const { projectId } = route.useParams()
  const { scenario } = route.useSearch()
  const navigate = route.useNavigate()
  const mayChange = useMayInProject(projectId, 'member')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const name = useAnswer(
    operations.getScenario,
    { scenario_id: scenario ?? '' },
    { enabled: scenario !== undefined },
  ).data?.scenario.name
  const { query, more } = usePages(
    operations.listBenchResults,
    { project_id: projectId, ...(scenario === undefined ? {} : { scenario_id: scenario }) },
    ({ bench_results, next_cursor }) => ({ rows: bench_results, nextCursor: next_cursor }),
    true,
  )
  useNews(`/v1/projects/${projectId}/bench-results/events`)
  return (
    <ProjectPage
      projectId={projectId}
      section="bench-results"
      title="Load tests"
      lead="Runs of scenarios, and what was measured in them"
      actions={mayChange ? <ImportResults projectId={projectId} /> : undefined}
    >
      {scenario === undefined ? null : (
        <Button
          onPress={() => void navigate({ search: {}, replace: true })}
          aria-label={`No longer only those of ${name ?? scenario}`}
          className="self-start"
        >
          {name ?? scenario}
          <CloseIcon />
        </Button>
      )}
      <Answer query={query} skeleton={<SkeletonTable rows={6} />}>
        {(rows) =>
          rows.length === 0 && scenario === undefined ? (
            <EmptyState title="No load tests yet">
              <p>
                A load test is a run of a scenario. Open one under Scenarios, and press Run; or import what
                another tool measured.
              </p>
            </EmptyState>
          ) : (
            <>
              <BenchResultTable
                rows={rows}
                whenEmpty="This scenario was never run."
                chosen={chosen}
                onToggle={
                  mayChange
                    ? (id) =>
                        setChosen(
                          chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id],
                        )
                    : undefined
                }
              />
              <LoadMore {...more} />
              {mayChange ? (
                <CompareRuns projectId={projectId} runIds={chosen} onClear={() => setChosen([])} />
              ) : null}
            </>
          )
        }
      </Answer>
    </ProjectPage>
  )
}
