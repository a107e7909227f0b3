import { operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { ScenarioRuns } from '../bench-results/scenario-runs.tsx'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { When } from '../components/when.tsx'
import { ScenarioEditor } from '../scenarios/scenario-editor.tsx'
import { ScenarioFrame } from '../scenarios/scenario-frame.tsx'
import { useVirtualUsers } from '../scenarios/use-virtual-users.ts'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/scenarios/$scenarioId')

/** The editor of a scenario. */
export function ScenarioPage() {
  const { scenarioId } = route.useParams()
  const query = useAnswer(operations.getScenario, { scenario_id: scenarioId })
  const scenario = query.data?.scenario
  const virtualUsers = useVirtualUsers(scenario?.project_id)
  const mayChange = useMayInProject(scenario?.project_id, 'member')
  return (
    <ScenarioFrame
      scenarioId={scenarioId}
      current=""
      title={scenario?.name ?? 'Scenario'}
      lead={
        scenario === undefined ? undefined : (
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span>
              Version {scenario.version}, <When at={scenario.updated_at} />
            </span>
            {scenario.tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </span>
        )
      }
    >
      <Answer query={query} skeleton={<SkeletonBlock height="28rem" />}>
        {(saved) => (
          <div className="flex flex-col gap-4">
            <ScenarioRuns scenario={saved.scenario} />
            <ScenarioEditor
              key={scenarioId}
              saved={saved}
              virtualUsers={virtualUsers}
              mayChange={mayChange}
            />
          </div>
        )}
      </Answer>
    </ScenarioFrame>
  )
}
