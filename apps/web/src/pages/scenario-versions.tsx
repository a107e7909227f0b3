import { operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { ScenarioChanges } from '../scenarios/scenario-changes.tsx'
import { ScenarioFrame } from '../scenarios/scenario-frame.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import { RestoreVersion } from '../versions/restore-version.tsx'
import { versionsOf } from '../versions/use-versions.ts'
import { VersionHistory } from '../versions/version-history.tsx'

const route = getRouteApi('/app/scenarios/$scenarioId/versions')

const outdatedByRestoring = [
  operations.listScenarioVersions,
  operations.getScenario,
  operations.listScenarios,
  operations.preflightScenario,
]

/** Every version of a scenario; two are compared, and an earlier one is brought back. */
export function ScenarioVersionsPage() {
  const { scenarioId } = route.useParams()
  const compared = route.useSearch()
  const navigate = route.useNavigate()
  const scenario = useAnswer(operations.getScenario, { scenario_id: scenarioId }).data?.scenario
  const mayChange = useMayInProject(scenario?.project_id, 'member')
  return (
    <ScenarioFrame scenarioId={scenarioId} current="/versions" title="Versions">
      <VersionHistory
        source={versionsOf(operations.listScenarioVersions, { scenario_id: scenarioId })}
        mayRestore={mayChange}
        compared={compared}
        onCompare={(search) => void navigate({ search, replace: true, resetScroll: false })}
        renderChanges={(changes, count) => <ScenarioChanges changes={changes} count={count} />}
        renderRestore={(version, onClose) => (
          <RestoreVersion
            operation={operations.patchScenario}
            input={{ scenario_id: scenarioId, restore_version: version }}
            outdates={outdatedByRestoring}
            version={version}
            versionOf={({ scenario: restored }) => restored.version}
            onClose={onClose}
          />
        )}
      />
    </ScenarioFrame>
  )
}
