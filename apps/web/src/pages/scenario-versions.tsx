import { operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { client, useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { ScenarioChanges } from '../scenarios/scenario-changes.tsx'
import { ScenarioFrame } from '../scenarios/scenario-frame.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import { RestoreVersion } from '../versions/restore-version.tsx'
import { useVersions, versionsPerPage } from '../versions/use-versions.ts'
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
  const { compare, with: other } = route.useSearch()
  const navigate = route.useNavigate()
  const scenario = useAnswer(operations.getScenario, { scenario_id: scenarioId }).data?.scenario
  const mayChange = useMayInProject(scenario?.project_id, 'member')
  const query = useVersions([operations.listScenarioVersions.id, scenarioId], (before, signal) =>
    client.call(
      operations.listScenarioVersions,
      { scenario_id: scenarioId, limit: versionsPerPage, before_version: before },
      { signal },
    ),
  )
  return (
    <ScenarioFrame scenarioId={scenarioId} current="/versions" title="Versions">
      <VersionHistory
        query={query}
        mayRestore={mayChange}
        from={compare}
        to={other}
        onCompare={(from, to) =>
          void navigate({
            search: { compare: String(from), with: String(to) },
            replace: true,
            resetScroll: false,
          })
        }
        renderChanges={(from, to) => <Changes scenarioId={scenarioId} from={from} to={to} />}
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

function Changes({ scenarioId, from, to }: { scenarioId: string; from: number; to: number }) {
  const query = useAnswer(
    operations.listScenarioVersions,
    { scenario_id: scenarioId, compare: `${from}..${to}`, limit: 1 },
    { keepPrevious: true },
  )
  return (
    <Answer query={query} skeleton={<SkeletonBlock height="10rem" />}>
      {({ changes, change_count }) => <ScenarioChanges changes={changes ?? []} count={change_count ?? 0} />}
    </Answer>
  )
}
