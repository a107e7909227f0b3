import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { deliveryOnWire } from './on-wire.ts'

export const listDeliveries = implement(operations.listDeliveries)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const filter = input.webhook_id === undefined ? {} : { webhookId: input.webhook_id }
  const { rows, nextCursor } = await pageOf('deliveries', input, { project: project.id, ...filter }, (page) =>
    context.deps.stores.deliveries.list(context.caller, { projectId: project.id, ...filter }, page),
  )
  return { project_id: project.id, deliveries: rows.map(deliveryOnWire), next_cursor: nextCursor }
})
