import type { IdentityStore, Session, User } from '@flamegate/operations/ports'
import { Problem } from '@flamegate/contract'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { WebSessions } from '../session/web-session.ts'
import { createAccountMail } from './account-mail.ts'
import type { AccountMail } from './account-mail.ts'
import { createAttemptLimiter } from './attempt-limiter.ts'
import type { AttemptLimit, AttemptLimiter } from './attempt-limiter.ts'
import { createBrowserTickets } from './browser-tickets.ts'
import type { BrowserTickets } from './browser-tickets.ts'
import type { ForeignSignIn } from './elsewhere/foreign-sign-in.ts'
import { logMailer } from './mail/log-mailer.ts'
import type { Mailer } from './mail/mailer.ts'
import { createOneTimeCodes } from './one-time-codes.ts'
import type { OneTimeCodes } from './one-time-codes.ts'
import { createPasskeys } from './passkeys.ts'
import type { Passkeys } from './passkeys.ts'
import { createSealing } from './sealing.ts'

const minuteMs = 60_000

const defaultLimits = {
  /** Per client address. */
  signUp: { attempts: 100, windowMs: 60 * minuteMs },
  /** Per client address: passwords, passkeys, links from mails. */
  logIn: { attempts: 100, windowMs: 15 * minuteMs },
  /** Per person and client address, so that a stranger elsewhere cannot lock the person out. */
  logInPerPerson: { attempts: 10, windowMs: 15 * minuteMs },
  /**
   * Wrong one-time codes per person, from wherever: whoever may try one has proved something else already, and from
   * many addresses a million codes are soon tried.
   */
  codesPerPerson: { attempts: 10, windowMs: 60 * minuteMs },
  /** Per client address. */
  mailRequests: { attempts: 20, windowMs: 60 * minuteMs },
  /** Per address that is written to and kind of mail. */
  mailsPerAddress: { attempts: 5, windowMs: 60 * minuteMs },
} satisfies Record<string, AttemptLimit>

type LimitName = keyof typeof defaultLimits

export interface AccountsOptions {
  identity: IdentityStore
  sessions: WebSessions
  /** The public URL. */
  siteUrl: string
  /** Mails are written to the log when left out. */
  mailer?: Mailer | undefined
  /** Services that people may log in with. */
  signIns?: readonly ForeignSignIn[] | undefined
  limits?: Partial<Record<LimitName, AttemptLimit>>
  now?: (() => number) | undefined
}

/** What the account routes work with. */
export interface AccountContext {
  identity: IdentityStore
  sessions: WebSessions
  siteUrl: string
  /** Whether an address has to be confirmed before its account can be used, which takes mails that arrive. */
  mustConfirmEmail: boolean
  mail: AccountMail
  tickets: BrowserTickets
  passkeys: Passkeys
  codes: OneTimeCodes
  signIns: readonly ForeignSignIn[]
  limiters: Record<LimitName, AttemptLimiter>
  now: () => number
}

export async function createAccountContext(
  options: AccountsOptions,
  log: FastifyBaseLogger,
): Promise<AccountContext> {
  const { identity, sessions, siteUrl, signIns = [], now = Date.now } = options
  const { tickets, passkeys, totp } = identity.accounts
  const mailer = options.mailer ?? logMailer(log)
  const limiterOf = (name: LimitName) =>
    createAttemptLimiter(options.limits?.[name] ?? defaultLimits[name], now)
  const limiters = {
    signUp: limiterOf('signUp'),
    logIn: limiterOf('logIn'),
    logInPerPerson: limiterOf('logInPerPerson'),
    codesPerPerson: limiterOf('codesPerPerson'),
    mailRequests: limiterOf('mailRequests'),
    mailsPerAddress: limiterOf('mailsPerAddress'),
  }
  return {
    identity,
    sessions,
    siteUrl,
    mustConfirmEmail: mailer.reachesPeople,
    mail: createAccountMail({ tickets, mailer, siteUrl, limiter: limiters.mailsPerAddress, now }),
    tickets: createBrowserTickets(tickets, siteUrl, now),
    passkeys: createPasskeys(passkeys, siteUrl),
    codes: createOneTimeCodes(totp, await createSealing(identity), now),
    signIns,
    limiters,
    now,
  }
}

/** Whoever is logged in. @throws Problem `unauthenticated` */
export async function requirePerson(
  { identity, sessions }: AccountContext,
  { headers }: FastifyRequest,
): Promise<{ session: Session; user: User }> {
  const session = await sessions.find(headers.cookie)
  const user = session && (await identity.findUser(session.userId))
  if (!user) throw new Problem('unauthenticated', 'Nobody is logged in.')
  return { session, user }
}
