import { operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { StaleVersion } from '../versions/stale-version.tsx'
import { VersionLines } from '../versions/version-lines.tsx'
import { ScenarioChanges } from './scenario-changes.tsx'

interface Props {
  scenarioId: string
  /** The version that the unsaved changes are made to. */
  version: number
  newest: number
  onApply: () => void
  onDiscard: () => void
}

/** The same for a scenario as for a virtual user: somebody was first. */
export function StaleScenario({ scenarioId, version, newest, ...choices }: Props) {
  const query = useAnswer(operations.listScenarioVersions, {
    scenario_id: scenarioId,
    compare: `${version}..${newest}`,
    limit: Math.min(100, newest - version),
  })
  return (
    <StaleVersion version={version} newest={newest} {...choices}>
      <Answer query={query} skeleton={<SkeletonBlock height="6rem" />}>
        {({ versions, changes, change_count }) => (
          <div className="flex flex-col gap-2">
            <VersionLines versions={versions} />
            <ScenarioChanges changes={changes ?? []} count={change_count ?? 0} />
          </div>
        )}
      </Answer>
    </StaleVersion>
  )
}
