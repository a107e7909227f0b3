import { operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { When } from '../components/when.tsx'
import { useNews } from '../live/use-news.ts'
import { useMayInProject } from '../shell/project-role.ts'
import { BenchState, isOver } from './bench-state.tsx'
import { NewSchedule } from '../schedules/new-schedule.tsx'
import { RunScenario } from './run-scenario.tsx'

interface Props {
  scenario: { id: string; project_id: string; name: string; version: number }
}

const shownMax = 3

/** The button that runs a scenario, and its last runs. */
export function ScenarioRuns({ scenario }: Props) {
  const { id, project_id: projectId } = scenario
  const mayRun = useMayInProject(projectId, 'member')
  const runs =
    useAnswer(
      operations.listBenchResults,
      { project_id: projectId, scenario_id: id, limit: shownMax },
      { pollWhile: ({ bench_results }) => bench_results.some((run) => !isOver(run)), isLive: true },
    ).data?.bench_results ?? []
  useNews(`/v1/projects/${projectId}/bench-results/events`)
  if (runs.length === 0 && !mayRun) return null
  return (
    <section aria-label="Runs" className="flex flex-wrap items-center gap-x-6 gap-y-3">
      {mayRun ? (
        <span className="flex gap-2">
          <RunScenario scenario={scenario} />
          <NewSchedule projectId={projectId} scenario={scenario} />
        </span>
      ) : null}
      {runs.length === 0 ? (
        <span className="text-muted">It was never run.</span>
      ) : (
        <>
          <ul className="flex min-w-0 flex-wrap gap-x-6 gap-y-2">
            {runs.map((run) => (
              <li key={run.id} className="flex min-w-0 flex-wrap items-center gap-2">
                <BenchState {...run} />
                <Link
                  to="/projects/$projectId/bench-results/$benchResultId"
                  params={{ projectId, benchResultId: run.id }}
                  className="text-link min-w-0 truncate"
                >
                  {run.name}
                </Link>
                <span className="text-muted">
                  <When at={run.created_at} />
                </span>
              </li>
            ))}
          </ul>
          <Link
            to="/projects/$projectId/bench-results"
            params={{ projectId }}
            search={{ scenario: id }}
            className="text-link"
          >
            All its runs
          </Link>
        </>
      )}
    </section>
  )
}
