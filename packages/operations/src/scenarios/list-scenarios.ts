import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { scenarioOnWire } from './on-wire.ts'

export const listScenarios = implement(operations.listScenarios)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const { search, tag, deleted: areDeleted } = input
  const filter = { kind: 'scenario', search, tag, areDeleted } as const
  const { rows, nextCursor } = await pageOf('scenarios', input, { project: project.id, ...filter }, (page) =>
    context.deps.stores.designs.list(context.caller, project.id, page, filter),
  )
  return { project_id: project.id, scenarios: rows.map(scenarioOnWire), next_cursor: nextCursor }
})
