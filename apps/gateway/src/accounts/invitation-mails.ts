import type { FastifyInstance } from 'fastify'
import type { AccountContext } from './account-context.ts'

const everyMs = 5000

/**
 * Writes to whom somebody invited. Invitations are made by an operation, which knows no mails, and perhaps in another
 * process; so they are looked for now and then. Each is taken by one gateway.
 */
export function mailInvitations(app: FastifyInstance, { identity, mail }: AccountContext): void {
  let underWay: Promise<void> | undefined
  const timer = setInterval(() => {
    underWay ??= mailAll()
      .catch((err: unknown) => app.log.error({ err }, 'invitations could not be mailed'))
      .finally(() => (underWay = undefined))
  }, everyMs)

  app.addHook('onClose', async () => {
    clearInterval(timer)
    await underWay
  })

  async function mailAll(): Promise<void> {
    for (const invitation of await identity.takeUnmailedInvitations()) await mail.sendInvitation(invitation)
  }
}
