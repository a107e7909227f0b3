import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getNotification } from './get-notification.ts'

export const deleteNotification = implement(operations.deleteNotification)(async (input, context) => {
  const { id, workspaceId } = await getNotification(context, input.notification_id)
  await context.deps.stores.notifications.remove(context.caller, id)
  return { notification_id: id, workspace_id: workspaceId, deleted: true as const }
})
