import type { AttemptOutcome, PostMessage, Sealing, Webhook } from '../ports/index.ts'
import { openAddress } from './sealed-address.ts'
import { signedHeaders } from './sign-message.ts'

/** Posts a message to a webhook, signed with its secret, and with the one before as long as that counts. */
export async function sendSigned(
  webhook: Webhook,
  message: { id: string; body: string },
  { postMessage, sealing }: { postMessage: PostMessage; sealing: Sealing },
): Promise<AttemptOutcome> {
  const sentAt = new Date()
  const { sealedPreviousSecret, previousSecretUntil } = webhook
  const isRotating = previousSecretUntil !== null && previousSecretUntil > sentAt
  const sealed = [webhook.sealedSecret, ...(isRotating ? [sealedPreviousSecret ?? ''] : [])]
  const secrets = await Promise.all(sealed.map((each) => sealing.open(each, webhook.id)))
  return postMessage(await openAddress(webhook, sealing), {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Flamegate-Webhooks/1',
      ...signedHeaders({ ...message, sentAt }, secrets),
    },
    body: message.body,
  })
}
