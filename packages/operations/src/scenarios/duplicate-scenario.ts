import { operations } from '@flamegate/contract'
import { parseDocument } from '@flamegate/loadtest'
import { implement } from '../implement.ts'
import { freeName } from '../design/free-name.ts'
import { addScenario } from './add-scenario.ts'
import { scenarioOnWire } from './on-wire.ts'
import { getScenario } from './reaching.ts'

export const duplicateScenario = implement(operations.duplicateScenario)(async (input, context) => {
  const { caller, deps } = context
  const original = await getScenario(context, input.scenario_id)
  const taken = await deps.stores.designs.listNames(caller, original.projectId, 'scenario')
  const document = parseDocument('scenario', original.document)
  document.name = input.name ?? freeName(original.name, taken)
  const object = await addScenario(context, original, document, `Duplicate of ${original.id}`)
  return { scenario: scenarioOnWire(object) }
})
