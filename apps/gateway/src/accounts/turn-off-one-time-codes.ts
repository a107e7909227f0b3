import type { IdentityStore } from '@flamegate/operations/ports'
import type { Logger } from '@flamegate/runtime'
import { codesTurnedOffLetter } from './mail/letters.ts'
import type { Mailer } from './mail/mailer.ts'

interface Options {
  identity: Pick<IdentityStore, 'findUserByEmail' | 'accounts'>
  mailer: Mailer
  /** The public URL. */
  siteUrl: string
  log: Pick<Logger, 'warn'>
  now?: () => number
}

/**
 * Turns off one-time codes and recovery codes for somebody who lost all of them, on the word of whoever runs the
 * platform; logs it and writes to the owner. Gives what was found at that address.
 */
export async function turnOffOneTimeCodes(
  email: string,
  { identity, mailer, siteUrl, log, now = Date.now }: Options,
): Promise<'turned off' | 'not in use' | 'no account'> {
  const user = await identity.findUserByEmail(email.toLowerCase())
  if (!user) return 'no account'
  const { totp } = identity.accounts
  if (!(await totp.find(user.id))?.confirmedAt) return 'not in use'
  await totp.remove(user.id)
  log.warn({ userId: user.id }, 'one-time codes were turned off by an operator')
  mailer.send(codesTurnedOffLetter(user.email, siteUrl, new Date(now())))
  return 'turned off'
}
