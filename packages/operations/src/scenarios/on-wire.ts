import type { operations, OutputOf } from '@flamegate/contract'
import type { ScenarioChange } from '@flamegate/loadtest'
import type { DesignEntry } from '../ports/index.ts'
import { readSummary } from './summary.ts'

type ScenarioOnWire = OutputOf<typeof operations.getScenario>['scenario']
type ChangeOnWire = OutputOf<typeof operations.patchScenario>['changes'][number]

export function scenarioOnWire(entry: DesignEntry): ScenarioOnWire {
  return {
    id: entry.id,
    project_id: entry.projectId,
    name: entry.name,
    ...readSummary(entry.summary),
    version: entry.version,
    created_at: entry.createdAt.toISOString(),
    updated_at: entry.updatedAt.toISOString(),
  }
}

export function changeOnWire({ profileId, ...change }: ScenarioChange): ChangeOnWire {
  return { ...change, profile_id: profileId }
}
