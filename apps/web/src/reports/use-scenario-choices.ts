import { operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import type { Choice } from '../components/select.tsx'

const scenariosMax = 100

/** The scenarios of a project as choices; none as long as there is no project to ask for. */
export function useScenarioChoices(projectId: string | undefined): readonly Choice[] {
  const answer = useAnswer(
    operations.listScenarios,
    { project_id: projectId ?? '', limit: scenariosMax },
    { enabled: projectId !== undefined },
  ).data
  return (answer?.scenarios ?? []).map(({ id, name }) => ({ id, label: name }))
}
