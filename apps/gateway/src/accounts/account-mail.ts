import { hashSecret, newSecret } from '@flamegate/auth'
import type { TicketPurpose, TicketStore, User } from '@flamegate/operations/ports'
import type { AttemptLimiter } from './attempt-limiter.ts'
import { accountExistsLetter, noAccountLetter, resetLetter, verificationLetter } from './mail/letters.ts'
import type { Mailer } from './mail/mailer.ts'

/** How long the links in mails are good for. */
const verificationMs = 86_400_000
const resetMs = 3_600_000

/** The mails of the account pages. Each of them is left out when its address was sent too many of its kind lately. */
export interface AccountMail {
  sendVerification(user: User): Promise<void>
  sendReset(user: User): Promise<void>
  sendAccountExists(email: string): void
  sendNoAccount(email: string): void
}

export interface AccountMailOptions {
  tickets: TicketStore
  mailer: Mailer
  siteUrl: string
  /**
   * Per address that is written to and kind of mail: strangers who cause one kind must not keep away another. Whoever
   * is over it is told nothing, because that would tell others; nothing is lost by it either: the mails before have
   * links that are still good.
   */
  limiter: AttemptLimiter
  now: () => number
}

export function createAccountMail({
  tickets,
  mailer,
  siteUrl,
  limiter,
  now,
}: AccountMailOptions): AccountMail {
  async function makeLink(path: string, user: User, purpose: TicketPurpose, goodForMs: number) {
    const secret = newSecret()
    const expiresAt = new Date(now() + goodForMs)
    await tickets.add({ secretHash: hashSecret(secret), purpose, userId: user.id, payload: {}, expiresAt })
    return `${siteUrl}${path}?token=${secret}`
  }

  const mayMail = (kind: keyof AccountMail, email: string) => limiter.tryCount(`${kind} ${email}`)

  return {
    async sendVerification(user) {
      if (!mayMail('sendVerification', user.email)) return
      const link = await makeLink('/verify-email', user, 'verify_email', verificationMs)
      mailer.send(verificationLetter(user.email, link))
    },
    async sendReset(user) {
      if (!mayMail('sendReset', user.email)) return
      const link = await makeLink('/reset-password', user, 'reset_password', resetMs)
      mailer.send(resetLetter(user.email, link))
    },
    sendAccountExists(email) {
      if (mayMail('sendAccountExists', email)) mailer.send(accountExistsLetter(email, siteUrl))
    },
    sendNoAccount(email) {
      if (mayMail('sendNoAccount', email)) mailer.send(noAccountLetter(email, siteUrl))
    },
  }
}
