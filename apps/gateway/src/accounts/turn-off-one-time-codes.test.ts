import { createMemoryIdentity } from '@flamegate/auth/testing'
import { expect, test } from 'vitest'
import type { Mail } from './mail/mailer.ts'
import { ada, siteUrl } from './test-accounts.ts'
import { turnOffOneTimeCodes } from './turn-off-one-time-codes.ts'

const now = () => Date.UTC(2026, 10, 20)

test('codes are turned off for the person at that address, who is told, and log and audit log keep it', async () => {
  const identity = createMemoryIdentity(now)
  const user = { id: 'usr_ada', email: ada.email, name: ada.name, passwordHash: 'hash' }
  await identity.createUser(user, { id: 'ws_1', slug: 'ada', name: 'Ada' })
  const mails: Mail[] = []
  const lines: unknown[][] = []
  const mailer = {
    reachesPeople: true,
    send: (mail: Mail) => void mails.push(mail),
    close: () => Promise.resolve(),
  }
  const turnOff = (email: string) =>
    turnOffOneTimeCodes(email, {
      identity,
      mailer,
      siteUrl,
      now,
      log: { warn: (...line: unknown[]) => void lines.push(line) },
    })
  expect(await turnOff('nobody@example.com')).toBe('no account')
  expect(await turnOff(ada.email)).toBe('not in use')
  expect([mails, lines, identity.securityEvents]).toEqual([[], [], []])

  const { totp } = identity.accounts
  await totp.begin(user.id, 'sealed')
  await totp.confirm(user.id, ['c1'])
  expect(await turnOff('Ada@Example.com')).toBe('turned off')
  expect(await totp.find(user.id)).toBeUndefined()
  expect(await totp.countRecoveryCodes(user.id)).toBe(0)
  expect(mails).toMatchObject([{ to: ada.email, text: expect.stringContaining('2026-11-20 00:00 UTC') }])
  expect(identity.securityEvents).toMatchObject([
    {
      action: 'turn_off_one_time_codes',
      userId: 'usr_ada',
      outcome: 'ok',
      client: { id: 'operator', name: 'Operator, on the command line' },
    },
  ])
  expect(lines).toEqual([[{ userId: 'usr_ada' }, expect.stringContaining('operator')]])
})
