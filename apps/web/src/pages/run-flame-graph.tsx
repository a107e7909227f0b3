import { operations } from '@flamegate/contract'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { buttonClass } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { ProjectPage } from '../shell/page.tsx'

const route = getRouteApi('/app/runs/$runId/flame-graph')

/** Leads to the profile that shows a benchmark of a run. */
export function RunFlameGraphPage() {
  const { runId } = route.useParams()
  const { benchmark = '' } = route.useSearch()
  const query = useAnswer(operations.getBenchmarkResult, { run_id: runId, benchmark })
  return (
    <ProjectPage
      projectId={query.data?.project_id ?? (query.error === null ? undefined : null)}
      section="profiles"
      title="Flame graph"
    >
      <Answer query={query} skeleton={<SkeletonBlock height="24rem" />}>
        {({ flame_graph, result }) => {
          const profileId = flame_graph.profile_ids[0]
          return profileId === undefined ? (
            <EmptyState title="There is no flame graph of this benchmark">
              <p>No profile of {result.name} was uploaded for this run.</p>
              <Link to="/runs/$runId" params={{ runId }} className={buttonClass('secondary', 'self-start')}>
                Back to the run
              </Link>
            </EmptyState>
          ) : (
            <Navigate to="/profiles/$profileId" params={{ profileId }} replace />
          )
        }}
      </Answer>
    </ProjectPage>
  )
}
