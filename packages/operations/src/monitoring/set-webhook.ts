import { newId, operations, Problem, type InputOf } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import type { Webhook } from '../ports/index.ts'
import { getProject } from '../targets.ts'
import { getWebhook } from './get-webhook.ts'
import { webhookOnWire } from './on-wire.ts'
import { newWebhookSecret } from './sign-message.ts'
import { requireUsable } from './usable-address.ts'

type Input = InputOf<typeof operations.setWebhook>

const webhooksMax = 20
/** How long both secrets count. */
const rotationMs = 24 * 3_600_000

export const setWebhook = implement(operations.setWebhook)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  if (input.target_url !== undefined) requireUsable(input.target_url, 'target_url')
  if (input.webhook_id === undefined) return create(project, input, context)
  const before = await getWebhook(context, input.webhook_id)
  if (before.projectId !== project.id)
    throw new Problem('webhook_not_found', 'That webhook belongs to another project.')
  return change(before, input, context)
})

async function create(place: { id: string; workspaceId: string }, input: Input, context: CallContext) {
  const { caller, deps } = context
  if (input.target_url === undefined) {
    throw new Problem('invalid_input', 'A new webhook needs an address.', {
      errors: [{ field: 'target_url', message: 'Say where messages are posted.' }],
    })
  }
  if ((await deps.stores.webhooks.list(caller, place.id)).length >= webhooksMax) {
    throw new Problem('invalid_input', `A project has at most ${webhooksMax} webhooks. Delete one first.`)
  }
  const id = newId('webhook')
  const secret = newWebhookSecret()
  const owned = { id, workspaceId: place.workspaceId }
  const webhook = await deps.stores.webhooks.create(caller, {
    ...owned,
    projectId: place.id,
    ...(await addressOf(input.target_url, owned, deps)),
    events: input.events ?? [
      'alert.opened',
      'alert.resolved',
      'live_alert.opened',
      'live_alert.resolved',
      'run.completed',
    ],
    isActive: input.is_active ?? true,
    sealedSecret: await deps.sealing.seal(secret, owned),
  })
  context.concerns(webhook.workspaceId, webhook.id)
  return { webhook: webhookOnWire(webhook), secret }
}

async function change(before: Webhook, input: Input, { caller, deps }: CallContext) {
  const secret = input.new_secret ? newWebhookSecret() : null
  const webhook = await deps.stores.webhooks.update(caller, before.id, {
    ...(input.target_url === undefined ? {} : { address: await addressOf(input.target_url, before, deps) }),
    ...(input.events === undefined ? {} : { events: input.events }),
    // Whoever switches it on gives it another chance.
    ...(input.is_active === undefined
      ? {}
      : { isActive: input.is_active, offReason: '', failingSince: null }),
    ...(secret === null
      ? {}
      : {
          sealedSecret: await deps.sealing.seal(secret, before),
          sealedPreviousSecret: before.sealedSecret,
          previousSecretUntil: new Date(Date.now() + rotationMs),
        }),
  })
  if (webhook === undefined) throw new Problem('webhook_not_found', 'This webhook was deleted just now.')
  return { webhook: webhookOnWire(webhook), secret }
}

/** Sealed, because many have a secret in their path. */
async function addressOf(
  url: string,
  of: Pick<Webhook, 'id' | 'workspaceId'>,
  { sealing }: Pick<CallContext['deps'], 'sealing'>,
) {
  return { host: new URL(url).host, sealedUrl: await sealing.seal(url, of) }
}
