import { operations, Problem } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { Notification } from '../ports/index.ts'
import { reach } from '../targets.ts'

/** By its id, for whoever has the role. */
export async function getNotification(context: CallContext, id: string): Promise<Notification> {
  const notification = await context.deps.stores.notifications.find(context.caller, id)
  if (notification === undefined) {
    throw new Problem('notification_not_found', 'No such notification in your workspaces.', {
      hint: [operations.listNotifications, 'shows the ones there are'],
    })
  }
  await reach(context, notification.workspaceId, notification.id)
  return notification
}
