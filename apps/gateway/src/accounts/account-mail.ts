import { hashSecret, newSecret } from '@flamegate/auth'
import type { TicketPurpose, TicketStore, UnmailedInvitation, User } from '@flamegate/operations/ports'
import type { CountedAttempts } from './counted-attempts.ts'
import {
  accountExistsLetter,
  changeLetter,
  codesGuessedLetter,
  emailChangedLetter,
  emailTakenLetter,
  invitationLetter,
  newEmailLetter,
  noAccountLetter,
  resetLetter,
  verificationLetter,
} from './mail/letters.ts'
import type { SecurityChange } from './mail/letters.ts'
import type { Mailer } from './mail/mailer.ts'
import type { WaitingSignUp } from './waiting-sign-up.ts'
import type { WhereFrom } from './where-from.ts'

const hourMs = 3_600_000
/** How long the links in mails are good for. */
const verificationMs = 24 * hourMs
const resetMs = hourMs
const newEmailMs = 24 * hourMs
const undoMs = 7 * 24 * hourMs

/** The mails of the account pages. Those that strangers can cause are left out when there were too many of their kind. */
export interface AccountMail {
  /**
   * @param asker Client address of whoever caused it.
   * @param waiting What counts once the link was followed; the account as it is when left out.
   */
  sendVerification(user: User, asker: string, waiting?: WaitingSignUp): Promise<void>
  sendReset(user: User): Promise<void>
  /** The link of that mail, for whoever has just shown that they read the account's mail. */
  makeResetLink(userId: string): Promise<string>
  sendAccountExists(email: string): Promise<void>
  sendNoAccount(email: string): Promise<void>
  /** To the new address of somebody who wants to change it. */
  sendNewEmail(user: User, email: string): Promise<void>
  sendEmailTaken(email: string): Promise<void>
  /**
   * To the former address, with a link that undoes the change. `user` is as before it: the link is stored then, and
   * what this gives sends it, so that no change is without its way back.
   */
  prepareEmailChanged(user: User, where: WhereFrom): Promise<() => void>
  sendChange(user: User, change: SecurityChange, where: WhereFrom): void
  /** At most once an hour. */
  sendCodesGuessed(user: User, where: WhereFrom): Promise<void>
  sendInvitation(invitation: UnmailedInvitation): Promise<void>
}

export interface AccountMailOptions {
  tickets: TicketStore
  mailer: Mailer
  siteUrl: string
  /**
   * Per address that is written to and kind of mail: strangers who cause one kind must not keep away another. Whoever
   * is over it is told nothing, because that would tell others.
   */
  limiter: CountedAttempts
  verificationLimiter: CountedAttempts
  warningLimiter: CountedAttempts
  now: () => number
}

export function createAccountMail(options: AccountMailOptions): AccountMail {
  const { tickets, mailer, siteUrl, limiter, verificationLimiter, warningLimiter, now } = options

  async function makeLink(path: string, userId: string, goodFor: GoodFor) {
    const { purpose, ms, payload = {} } = goodFor
    const secret = newSecret()
    const expiresAt = new Date(now() + ms)
    await tickets.add({ secretHash: hashSecret(secret), purpose, userId, payload, expiresAt })
    return `${siteUrl}${path}?token=${secret}`
  }

  const makeResetLink = (userId: string) =>
    makeLink('/reset-password', userId, { purpose: 'reset_password', ms: resetMs })

  const mayMail = (kind: keyof AccountMail, email: string) => limiter.tryCount(`${kind} ${email}`)

  return {
    async sendVerification(user, asker, waiting = { passwordHash: user.passwordHash }) {
      // A stranger who asks for the address of another uses up their own share, and the owner still gets a link.
      if (!(await mayMail('sendVerification', `${user.email} ${asker}`))) return
      if (!(await verificationLimiter.tryCount(user.email))) return
      const goodFor = { purpose: 'verify_email', ms: verificationMs, payload: { ...waiting } } as const
      mailer.send(verificationLetter(user.email, await makeLink('/verify-email', user.id, goodFor)))
    },
    async sendReset(user) {
      if (!(await mayMail('sendReset', user.email))) return
      mailer.send(resetLetter(user.email, await makeResetLink(user.id)))
    },
    makeResetLink,
    async sendAccountExists(email) {
      if (await mayMail('sendAccountExists', email)) mailer.send(accountExistsLetter(email, siteUrl))
    },
    async sendNoAccount(email) {
      if (await mayMail('sendNoAccount', email)) mailer.send(noAccountLetter(email, siteUrl))
    },
    async sendNewEmail(user, email) {
      if (!(await mayMail('sendNewEmail', email))) return
      const payload = { from: user.email, to: email }
      const goodFor = { purpose: 'change_email', ms: newEmailMs, payload } as const
      mailer.send(newEmailLetter(email, await makeLink('/change-email', user.id, goodFor)))
    },
    async sendEmailTaken(email) {
      if (await mayMail('sendEmailTaken', email)) mailer.send(emailTakenLetter(email))
    },
    async prepareEmailChanged(user, where) {
      const payload = { email: user.email, since: where.at.toISOString() }
      const goodFor = { purpose: 'undo_email_change', ms: undoMs, payload } as const
      const link = await makeLink('/undo-email-change', user.id, goodFor)
      return () => mailer.send(emailChangedLetter(user.email, link, where))
    },
    sendChange: (user, change, where) => mailer.send(changeLetter(user.email, siteUrl, change, where)),
    async sendCodesGuessed(user, where) {
      if (await warningLimiter.tryCount(user.id)) mailer.send(codesGuessedLetter(user.email, siteUrl, where))
    },
    async sendInvitation({ id, email, invitedBy, expiresAt }) {
      if (!(await mayMail('sendInvitation', email))) return
      mailer.send(invitationLetter(email, invitedBy, `${siteUrl}/join?invitation=${id}`, expiresAt))
    },
  }
}

interface GoodFor {
  purpose: TicketPurpose
  ms: number
  payload?: Record<string, unknown>
}
