import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { reach } from '../targets.ts'
import { deliveryOnWire } from './on-wire.ts'

export const repeatDelivery = implement(operations.repeatDelivery)(async (input, context) => {
  const { caller, deps } = context
  const before = await deps.stores.deliveries.find(caller, input.delivery_id)
  if (before === undefined) throw notFound()
  await reach(context, before.workspaceId, before.id)
  const delivery = await deps.stores.deliveries.repeat(caller, before.id)
  if (delivery === undefined) throw notFound()
  return { delivery: deliveryOnWire(delivery) }
})

function notFound(): Problem {
  return new Problem(
    'delivery_not_found',
    'No such delivery in your workspaces; they are kept for 30 days.',
    {
      hint: [operations.listDeliveries, 'shows the ones there are'],
    },
  )
}
