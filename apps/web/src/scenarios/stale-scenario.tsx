import { operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import type { DocumentDraft } from '../documents/use-document-draft.ts'
import { StaleVersion } from '../versions/stale-version.tsx'
import { VersionLines } from '../versions/version-lines.tsx'
import { ScenarioChanges } from './scenario-changes.tsx'

interface Props {
  scenarioId: string
  edited: DocumentDraft
}

/** The same for a scenario as for a virtual user: somebody was first. */
export function StaleScenario({ scenarioId, edited }: Props) {
  const { newest } = edited
  const { version } = edited.draft
  const query = useAnswer(operations.listScenarioVersions, {
    scenario_id: scenarioId,
    compare: `${version}..${newest}`,
    limit: Math.min(100, newest - version),
  })
  return (
    <StaleVersion edited={edited}>
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
