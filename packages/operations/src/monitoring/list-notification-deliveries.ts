import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import { getNotification } from './get-notification.ts'
import { deliveryOnWire } from './on-wire.ts'

export const listNotificationDeliveries = implement(operations.listNotificationDeliveries)(async (
  input,
  context,
) => {
  const { id: notificationId, workspaceId } = await getNotification(context, input.notification_id)
  const { rows, nextCursor } = await pageOf('deliveries', input, { notificationId }, (page) =>
    context.deps.stores.deliveries.list(context.caller, { notificationId }, page),
  )
  return {
    notification_id: notificationId,
    workspace_id: workspaceId,
    deliveries: rows.map(deliveryOnWire),
    next_cursor: nextCursor,
  }
})
