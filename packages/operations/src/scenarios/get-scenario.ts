import { operations } from '@flamegate/contract'
import { parseDocument } from '@flamegate/loadtest'
import { implement } from '../implement.ts'
import { scenarioOnWire } from './on-wire.ts'
import { getScenario as reachScenario } from './reaching.ts'

export const getScenario = implement(operations.getScenario)(async (input, context) => {
  const object = await reachScenario(context, input.scenario_id)
  return { scenario: scenarioOnWire(object), document: { ...parseDocument('scenario', object.document) } }
})
