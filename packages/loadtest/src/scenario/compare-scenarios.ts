import { changedFields, type FieldChange } from '../outline/changed-fields.ts'
import type { Scenario } from './scenario.ts'
import { thresholdText } from './threshold-text.ts'

/** One difference between two scenarios. */
export interface ScenarioChange {
  change: 'added' | 'removed' | 'changed'
  /** Null: of the scenario itself. */
  profileId: string | null
  name: string
  /** Of `changed`: which fields, from the profile or the scenario on. */
  fields: FieldChange[]
}

/** How the later of two scenarios differs from the earlier one; profiles are known by their ids. */
export function compareScenarios(before: Scenario, after: Scenario): ScenarioChange[] {
  const own = changedFields(ownOf(before), ownOf(after))
  const changes: ScenarioChange[] =
    own.length === 0 ? [] : [{ change: 'changed', profileId: null, name: after.name, fields: own }]
  for (const profile of after.profiles) {
    const { id: profileId, name } = profile
    const was = before.profiles.find(({ id }) => id === profileId)
    if (was === undefined) changes.push({ change: 'added', profileId, name, fields: [] })
    else {
      const fields = changedFields(was, profile)
      if (fields.length > 0) changes.push({ change: 'changed', profileId, name, fields })
    }
  }
  for (const { id: profileId, name } of before.profiles) {
    const isThere = after.profiles.some(({ id }) => id === profileId)
    if (!isThere) changes.push({ change: 'removed', profileId, name, fields: [] })
  }
  return changes
}

/** A scenario without its profiles, and its thresholds as people write them. */
function ownOf({ profiles: _profiles, thresholds, ...own }: Scenario): object {
  return { ...own, thresholds: thresholds.map(thresholdText) }
}
