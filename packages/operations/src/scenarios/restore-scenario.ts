import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { scenarioOnWire } from './on-wire.ts'
import { getScenario } from './reaching.ts'

export const restoreScenario = implement(operations.restoreScenario)(async (input, context) => {
  const { id } = await getScenario(context, input.scenario_id, { evenDeleted: true })
  const restored = await context.deps.stores.designs.restore(context.caller, id)
  if (restored === undefined) throw new Problem('scenario_not_found', 'It is gone with its project.')
  return { scenario: scenarioOnWire(restored) }
})
