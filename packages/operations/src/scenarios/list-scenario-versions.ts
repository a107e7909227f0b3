import { operations } from '@flamegate/contract'
import { compareScenarios } from '@flamegate/loadtest'
import { listVersions } from '../design/versions.ts'
import { implement } from '../implement.ts'
import { changeOnWire } from './on-wire.ts'
import { getScenario } from './reaching.ts'

export const listScenarioVersions = implement(operations.listScenarioVersions)(async (input, context) => {
  const object = await getScenario(context, input.scenario_id)
  const listed = await listVersions(context, 'scenario', object, input, compareScenarios)
  return { scenario_id: object.id, ...listed, changes: listed.changes?.map(changeOnWire) ?? null }
})
