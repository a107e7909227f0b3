import { newId, operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { limitProblem } from '../limits/limit-problem.ts'
import type { CallContext } from '../implement.ts'
import type { Claim } from '../ports/index.ts'
import { getNotification } from './get-notification.ts'
import { messageOfChannel } from './message-of-channel.ts'
import { trial } from './run-notice.ts'
import { sendNotification } from './send-notification.ts'

const everySeconds = 5

export const testNotification = implement(operations.testNotification)(async (input, context) => {
  const { caller, deps } = context
  const notification = await getNotification(context, input.notification_id)
  await oneAtATime(context)
  const body = messageOfChannel(notification, trial(notification, deps.publicUrl))
  const outcome = await sendNotification(notification, { id: newId('delivery'), body }, caller, deps)
  return {
    notification_id: notification.id,
    workspace_id: notification.workspaceId,
    was_delivered: outcome.wasDelivered,
    response_status: outcome.responseStatus,
    response_excerpt: outcome.responseExcerpt,
    duration_ms: outcome.durationMs,
  }
})

/** @throws Problem `rate_limited` for a second message of a person within some seconds */
async function oneAtATime({ principal, deps: { limits } }: CallContext): Promise<void> {
  if (limits === undefined) return
  const claim: Claim = {
    lease: newId('delivery'),
    cost: 1,
    buckets: [{ name: 'tool', key: `trial:${principal.userId}`, capacity: 1, perSecond: 1 / everySeconds }],
    slots: [],
  }
  const verdict = await limits.limiter.take(claim)
  if (verdict.refusedBy !== undefined) throw limitProblem(claim, verdict.refusedBy, verdict)
}
