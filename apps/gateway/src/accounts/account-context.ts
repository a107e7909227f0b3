import { createSealing } from '@flamegate/auth'
import type { AttemptLimit, IdentityStore, Sealing, Session, User } from '@flamegate/operations/ports'
import { Problem } from '@flamegate/contract'
import { tenantProviders } from '@flamegate/runtime'
import type { TenantProviders } from '@flamegate/runtime'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { noteSecurity } from '../security-events.ts'
import type { WebSessions } from '../session/web-session.ts'
import { createAccountMail } from './account-mail.ts'
import type { AccountMail } from './account-mail.ts'
import { createBrowserTickets } from './browser-tickets.ts'
import type { BrowserTickets } from './browser-tickets.ts'
import { countAttempts, rate } from './counted-attempts.ts'
import type { CountedAttempts } from './counted-attempts.ts'
import type { ForeignSignIn } from './elsewhere/foreign-sign-in.ts'
import { logMailer } from './mail/log-mailer.ts'
import type { Mailer } from './mail/mailer.ts'
import { createOneTimeCodes } from './one-time-codes.ts'
import type { OneTimeCodes } from './one-time-codes.ts'
import { createPasskeys } from './passkeys.ts'
import type { Passkeys } from './passkeys.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

const defaultLimits = {
  /** Per client address, which many may share: successes count too, so that the wait is that of a rate. */
  signUp: rate(100, hourMs),
  /** Per client address: passwords, passkeys, links from mails. */
  logIn: rate(100, 15 * minuteMs),
  /** Passwords per person and client address, so that a stranger elsewhere cannot lock the person out. */
  passwordsPerPlace: { attempts: 10, firstWaitMs: 5 * secondMs, longestWaitMs: 15 * minuteMs },
  /** One-time codes and recovery codes, per person and client address. */
  codesPerPlace: { attempts: 5, firstWaitMs: 5 * secondMs, longestWaitMs: 15 * minuteMs },
  /** One-time codes per person from wherever: whoever may try one has proved something else already. */
  codesPerPerson: { attempts: 30, firstWaitMs: minuteMs, longestWaitMs: 15 * minuteMs },
  /** Per client address. */
  mailRequests: rate(20, hourMs),
  /** Per address that is written to and kind of mail; of links that confirm it for each client address. */
  mailsPerAddress: rate(5, hourMs),
  /** Links to confirm an address, whoever asks for them. */
  verificationsPerAddress: rate(15, hourMs),
  /** Warnings per person. */
  warnings: rate(1, hourMs),
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
  /** Where providers of workspaces may be besides the public internet. */
  targetsAllowed?: readonly string[] | undefined
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
  /** How providers of workspaces are asked. */
  providers: TenantProviders
  sealing: Sealing
  limiters: Record<LimitName, CountedAttempts>
  now: () => number
}

export async function createAccountContext(
  options: AccountsOptions,
  log: FastifyBaseLogger,
): Promise<AccountContext> {
  const { identity, sessions, siteUrl, signIns = [], now = Date.now } = options
  const { tickets, passkeys, totp, attempts } = identity.accounts
  const mailer = options.mailer ?? logMailer(log)
  const limiterOf = (name: LimitName) =>
    countAttempts(attempts, name, options.limits?.[name] ?? defaultLimits[name])
  const limiters = {
    signUp: limiterOf('signUp'),
    logIn: limiterOf('logIn'),
    passwordsPerPlace: limiterOf('passwordsPerPlace'),
    codesPerPlace: limiterOf('codesPerPlace'),
    codesPerPerson: limiterOf('codesPerPerson'),
    mailRequests: limiterOf('mailRequests'),
    mailsPerAddress: limiterOf('mailsPerAddress'),
    verificationsPerAddress: limiterOf('verificationsPerAddress'),
    warnings: limiterOf('warnings'),
  }
  const sealing = createSealing(identity)
  return {
    identity,
    sessions,
    siteUrl,
    mustConfirmEmail: mailer.reachesPeople,
    mail: createAccountMail({
      tickets,
      mailer,
      siteUrl,
      limiter: limiters.mailsPerAddress,
      verificationLimiter: limiters.verificationsPerAddress,
      warningLimiter: limiters.warnings,
      now,
    }),
    tickets: createBrowserTickets(tickets, siteUrl, now),
    passkeys: createPasskeys(passkeys, siteUrl),
    codes: createOneTimeCodes(totp, sealing, now),
    signIns,
    providers: tenantProviders(options.targetsAllowed ?? []),
    sealing,
    limiters,
    now,
  }
}

/** Whoever is logged in. @throws Problem `unauthenticated` */
export async function requirePerson(
  { identity, sessions }: AccountContext,
  request: FastifyRequest,
): Promise<{ session: Session; user: User }> {
  const session = await sessions.find(request.headers.cookie)
  const user = session && (await identity.findUser(session.userId))
  if (!user) throw new Problem('unauthenticated', 'Nobody is logged in.')
  noteSecurity(request, { userId: user.id })
  return { session, user }
}
