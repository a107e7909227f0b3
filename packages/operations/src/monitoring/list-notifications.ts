import { operations } from '@flamegate/contract'
import { parseDocument, scenarioExtent } from '@flamegate/loadtest'
import { implement, type CallContext } from '../implement.ts'
import { letsThrough, type RunFacts } from '../ports/index.ts'
import { getScenario } from '../scenarios/reaching.ts'
import { getWorkspace } from '../targets.ts'
import { notificationOnWire } from './on-wire.ts'

export const listNotifications = implement(operations.listNotifications)(async (input, context) => {
  const workspace = await getWorkspace(context, input.workspace_id)
  const all = await context.deps.stores.notifications.list(context.caller, workspace.id)
  const facts = input.scenario_id === undefined ? undefined : await factsOf(context, input.scenario_id)
  const shown =
    facts === undefined ? all : all.filter(({ isActive, filter }) => isActive && letsThrough(filter, facts))
  return { workspace_id: workspace.id, notifications: shown.map(notificationOnWire) }
})

async function factsOf(context: CallContext, scenarioId: string): Promise<RunFacts> {
  const object = await getScenario(context, scenarioId)
  const { durationMs, usersMax } = scenarioExtent(parseDocument('scenario', object.document))
  return { projectId: object.projectId, scenarioName: object.name, durationMs, usersMax: Math.ceil(usersMax) }
}
