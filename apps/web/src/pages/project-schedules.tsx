import { operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { NewSchedule } from '../schedules/new-schedule.tsx'
import { ScheduleTable } from '../schedules/schedule-table.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/projects/$projectId/schedules')

/** When scenarios of a project run by themselves. */
export function ProjectSchedulesPage() {
  const { projectId } = route.useParams()
  const mayChange = useMayInProject(projectId, 'member')
  const query = useAnswer(operations.listScheduledJobs, { project_id: projectId })
  const scenarios = useAnswer(operations.listScenarios, { project_id: projectId, limit: 100 }).data?.scenarios
  return (
    <ProjectPage
      projectId={projectId}
      section="scenarios"
      title="Schedules"
      lead="When scenarios run by themselves"
      crumbs={[{ label: 'Scenarios', href: `/projects/${projectId}/scenarios` }]}
      actions={mayChange ? <NewSchedule projectId={projectId} /> : undefined}
    >
      <Answer query={query} skeleton={<SkeletonTable rows={3} />}>
        {({ schedules }) =>
          schedules.length === 0 ? (
            <EmptyState title="Nothing is scheduled">
              <p>A schedule runs a scenario once at a time, or again and again by cron in a time zone.</p>
            </EmptyState>
          ) : (
            <ScheduleTable
              schedules={schedules}
              scenarioNames={new Map(scenarios?.map(({ id, name }) => [id, name]))}
              mayChange={mayChange}
            />
          )
        }
      </Answer>
    </ProjectPage>
  )
}
