import { randomUUID } from 'node:crypto'
import type { IdentityStore } from '@flamegate/operations/ports'
import type { Logger } from '@flamegate/runtime'
import { codesTurnedOffLetter } from './mail/letters.ts'
import type { Mailer } from './mail/mailer.ts'

interface Options {
  identity: Pick<IdentityStore, 'findUserByEmail' | 'accounts' | 'securityLog'>
  mailer: Mailer
  /** The public URL. */
  siteUrl: string
  log: Pick<Logger, 'warn'>
  now?: () => number
}

/**
 * Turns off one-time codes and recovery codes for somebody who lost all of them, on the word of whoever runs the
 * platform; records it in the audit log, logs it, and writes to the owner. Gives what was found at that address.
 * @throws NotRecorded when it is done, but not recorded
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
  await identity.securityLog.record({
    action: 'turn_off_one_time_codes',
    userId: user.id,
    outcome: 'ok',
    status: 200,
    client: { id: 'operator', name: 'Operator, on the command line' },
    requestId: randomUUID(),
    ip: '',
    userAgent: null,
  })
  log.warn({ userId: user.id }, 'one-time codes were turned off by an operator')
  mailer.send(codesTurnedOffLetter(user.email, siteUrl, new Date(now())))
  return 'turned off'
}
