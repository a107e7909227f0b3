import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '@flamegate/contract'
import { describe, expect, test } from 'vitest'
import { sweepExpired } from '../sweep.ts'
import { preparePeople, testCaller } from '../testing.ts'

const { at, ada, bob } = preparePeople()

const accounts = () => at.identity.accounts
const soon = () => new Date(Date.now() + 60_000)
const past = () => new Date(Date.now() - 1)

describe('people', () => {
  test('have a name, a password and an e-mail address that is confirmed once', async () => {
    expect(await at.identity.findUser(ada.userId)).toMatchObject({ name: 'ada', emailVerifiedAt: null })
    await accounts().rename(ada.userId, 'Ada')
    await accounts().setPassword(ada.userId, 'another hash')
    await accounts().confirmEmail(ada.userId)
    const user = await at.identity.findUser(ada.userId)
    expect(user).toMatchObject({
      name: 'Ada',
      passwordHash: 'another hash',
      emailVerifiedAt: expect.any(Date),
    })
    await accounts().confirmEmail(ada.userId)
    expect(await at.identity.findUserByEmail('ada@example.com')).toEqual(user)
  })

  test('keep nothing that the old password was good for when they choose another, but the session they choose it in', async () => {
    const { userId } = await at.signUp('gerda')
    const { tickets } = accounts()
    for (const purpose of ['reset_password', 'verify_email', 'second_factor', 'change_email'] as const) {
      await tickets.add({ ...ticket(`g ${purpose}`, soon()), userId, purpose })
    }
    const session = { userId, expiresAt: soon(), userAgent: '' }
    await at.identity.createSession({ ...session, tokenHash: 'g1' })
    await at.identity.createSession({ ...session, tokenHash: 'g2' })
    await accounts().setPassword(userId, 'another hash', 'g2')
    expect((await accounts().listSessions(userId)).map(({ tokenHash }) => tokenHash)).toEqual(['g2'])
    expect(await tickets.find('g reset_password', 'reset_password')).toBeUndefined()
    expect(await tickets.find('g verify_email', 'verify_email')).toBeUndefined()
    expect(await tickets.find('g second_factor', 'second_factor')).toBeUndefined()
    expect(await tickets.find('g change_email', 'change_email')).toBeDefined()
  })

  test.each<[string, string, (userId: string) => Promise<unknown>]>([
    ['the password changes', 'hugo', (userId) => accounts().setPassword(userId, 'another hash')],
    ['the account is claimed', 'ida', (userId) => accounts().claim(userId, { passwordHash: 'another hash' })],
    [
      'its address is given back',
      'jakob',
      (userId) => accounts().restoreEmail(userId, 'jakob@example.com', new Date()),
    ],
  ])('lose a session too that is just being stored when %s', async (_what, name, change) => {
    const { userId } = await at.signUp(name)
    const changing = await at.database.asAuth(async (client) => {
      await client.query(
        'INSERT INTO sessions (token_hash, user_id, expires_at, user_agent) VALUES ($1, $2, $3, $1)',
        [name, userId, soon()],
      )
      const changed = change(userId)
      await Promise.race([changed, delay(100)])
      return { changed }
    })
    await changing.changed
    expect(await accounts().listSessions(userId)).toEqual([])
  })

  test('may come without a password', async () => {
    const id = newId('user')
    const workspace = { id: newId('workspace'), slug: 'eve', name: 'Eve' }
    const eve = { id, email: 'eve@example.com', name: 'Eve', passwordHash: null, emailVerifiedAt: new Date() }
    expect(await at.identity.createUser(eve, workspace)).toEqual({
      ...eve,
      disabledAt: null,
      createdAt: expect.any(Date),
    })
  })
})

const ticket = (secretHash: string, expiresAt: Date) => ({
  secretHash,
  purpose: 'verify_email' as const,
  userId: ada.userId,
  payload: { email: 'ada@example.com' },
  expiresAt,
})

describe('tickets', () => {
  test('are good once, for their purpose, until they expire', async () => {
    const { tickets } = accounts()
    await tickets.add(ticket('k1', soon()))
    await tickets.add(ticket('k2', past()))
    const seen = { userId: ada.userId, payload: { email: 'ada@example.com' } }
    expect(await tickets.find('k1', 'verify_email')).toEqual(seen)
    expect(await tickets.find('k1', 'reset_password')).toBeUndefined()
    expect(await tickets.take('k1', 'reset_password')).toBeUndefined()
    const taken = await Promise.all([1, 2, 3].map(() => tickets.take('k1', 'verify_email')))
    expect(taken.filter((each) => each !== undefined)).toEqual([seen])
    expect(await tickets.find('k2', 'verify_email')).toBeUndefined()
    expect(await tickets.take('k2', 'verify_email')).toBeUndefined()
  })

  test('of one purpose are discarded together', async () => {
    const { tickets } = accounts()
    await tickets.add(ticket('k6', soon()))
    await tickets.add({ ...ticket('k7', soon()), purpose: 'reset_password' })
    await tickets.discard(bob.userId, 'verify_email')
    expect(await tickets.find('k6', 'verify_email')).toBeDefined()
    await tickets.discard(ada.userId, 'verify_email')
    expect(await tickets.find('k6', 'verify_email')).toBeUndefined()
    expect(await tickets.find('k7', 'reset_password')).toBeDefined()
  })

  test('that expired are swept', async () => {
    await accounts().tickets.add(ticket('k3', past()))
    await accounts().tickets.add(ticket('k4', soon()))
    await sweepExpired(at.database)
    const { rows } = await at.database.auth.query(
      `SELECT secret_hash FROM tickets WHERE secret_hash IN ('k3', 'k4')`,
    )
    expect(rows).toEqual([{ secret_hash: 'k4' }])
  })
})

const passkey = (id: string, userId: string) => ({
  id,
  userId,
  name: 'Laptop',
  publicKey: new Uint8Array([1, 2, 3]),
  counter: 0,
  transports: ['internal'],
  isBackupEligible: true,
  isBackedUp: false,
})

describe('passkeys', () => {
  test('are kept with their key, counter and flags, and belong to one person', async () => {
    const { passkeys } = accounts()
    await passkeys.add(passkey('p1', ada.userId))
    await expect(passkeys.add(passkey('p1', bob.userId))).rejects.toMatchObject({ field: 'passkey' })
    await passkeys.noteUse('p1', { counter: 4_000_000_000, isBackedUp: true })
    const found = await passkeys.find('p1')
    expect(found).toMatchObject({
      userId: ada.userId,
      counter: 4_000_000_000,
      isBackupEligible: true,
      isBackedUp: true,
      transports: ['internal'],
      lastUsedAt: expect.any(Date),
    })
    expect([...(found?.publicKey ?? [])]).toEqual([1, 2, 3])
    expect(await passkeys.list(bob.userId)).toEqual([])
    expect(await passkeys.remove(bob.userId, 'p1')).toBe(false)
    expect(await passkeys.remove(ada.userId, 'p1')).toBe(true)
    expect(await passkeys.find('p1')).toBeUndefined()
  })
})

describe('one-time codes', () => {
  test('count from the first confirmed one on, and each time step once', async () => {
    const { totp } = accounts()
    expect(await totp.begin(ada.userId, 'first')).toBe(true)
    expect(await totp.begin(ada.userId, 'second')).toBe(true)
    expect(await totp.find(ada.userId)).toEqual({ sealedSecret: 'second', confirmedAt: null })
    const taken = await Promise.all([1, 2, 3].map(() => totp.takeStep(ada.userId, 58_000_000)))
    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(await totp.takeStep(ada.userId, 57_999_999)).toBe(false)
    expect(await totp.takeStep(ada.userId, 58_000_001)).toBe(true)
    await totp.confirm(ada.userId, ['c1', 'c2'])
    expect(await totp.begin(ada.userId, 'third')).toBe(false)
    expect(await totp.find(ada.userId)).toEqual({ sealedSecret: 'second', confirmedAt: expect.any(Date) })
  })

  test('have recovery codes that are good once, and can be replaced', async () => {
    const { totp } = accounts()
    expect(await totp.countRecoveryCodes(ada.userId)).toBe(2)
    expect(await totp.takeRecoveryCode(bob.userId, 'c1')).toBe(false)
    expect(await totp.takeRecoveryCode(ada.userId, 'c1')).toBe(true)
    expect(await totp.takeRecoveryCode(ada.userId, 'c1')).toBe(false)
    await totp.replaceRecoveryCodes(ada.userId, ['c3', 'c4', 'c5'])
    expect(await totp.takeRecoveryCode(ada.userId, 'c2')).toBe(false)
    expect(await totp.countRecoveryCodes(ada.userId)).toBe(3)
    await totp.remove(ada.userId)
    expect(await totp.find(ada.userId)).toBeUndefined()
    expect(await totp.countRecoveryCodes(ada.userId)).toBe(0)
  })
})

const issuer = 'https://id.example'

describe('linked sign-ins', () => {
  test('belong to one person, who has one of each issuer', async () => {
    const { linkedSignIns } = accounts()
    const link = { issuer, subject: 's1', userId: ada.userId, email: 'ada@work.example' }
    await linkedSignIns.add(link)
    await expect(linkedSignIns.add({ ...link, userId: bob.userId })).rejects.toMatchObject({
      field: 'subject',
    })
    await expect(linkedSignIns.add({ ...link, subject: 's2' })).rejects.toMatchObject({ field: 'issuer' })
    expect(await linkedSignIns.find(issuer, 's1')).toEqual({ ...link, createdAt: expect.any(Date) })
    expect(await linkedSignIns.find('https://other.example', 's1')).toBeUndefined()
    expect(await linkedSignIns.list(ada.userId)).toHaveLength(1)
    expect(await linkedSignIns.remove(bob.userId, issuer)).toBe(false)
    expect(await linkedSignIns.remove(ada.userId, issuer)).toBe(true)
  })
})

describe('sessions', () => {
  test('are listed to their person and ended together, but for one', async () => {
    const session = { userId: bob.userId, expiresAt: soon(), userAgent: 'Firefox' }
    await at.identity.createSession({ ...session, tokenHash: 'b1', provedAt: new Date(0) })
    await at.identity.createSession({ ...session, tokenHash: 'b2' })
    await at.identity.createSession({ ...session, tokenHash: 'b3', expiresAt: past() })
    const hashes = async () => (await accounts().listSessions(bob.userId)).map(({ tokenHash }) => tokenHash)
    expect((await hashes()).toSorted()).toEqual(['b1', 'b2'])
    expect(await at.identity.findSession('b1')).toMatchObject({ provedAt: new Date(0) })
    await at.identity.noteProof('b1')
    expect((await at.identity.findSession('b1'))?.provedAt?.getTime()).toBeGreaterThan(Date.now() - 60_000)
    expect(await at.identity.findSession('b2')).toMatchObject({ provedAt: null })
    await accounts().removeSessions(bob.userId, 'b2')
    expect(await hashes()).toEqual(['b2'])
    await accounts().removeSessions(bob.userId)
    expect(await hashes()).toEqual([])
  })
})

describe('sessions that slide on', () => {
  test('do not come back once they were ended, whatever comes first', async () => {
    const { userId } = await at.signUp('emil')
    const later = new Date(Date.now() + 3_600_000)
    for (let round = 0; round < 10; round++) {
      const tokenHash = `e${round}`
      await at.identity.createSession({ tokenHash, userId, expiresAt: soon(), userAgent: '' })
      const end = round % 2 === 0 ? at.identity.removeSession(tokenHash) : accounts().removeSessions(userId)
      const extend = () => at.identity.extendSession(tokenHash, later)
      await Promise.all([extend(), extend(), end, extend(), extend()])
      expect(await at.identity.findSession(tokenHash)).toBeUndefined()
      expect(await extend()).toBe(false)
    }
    await at.identity.createSession({ tokenHash: 'e', userId, expiresAt: soon(), userAgent: '' })
    expect(await at.identity.extendSession('e', later)).toBe(true)
    expect((await at.identity.findSession('e'))?.expiresAt).toEqual(later)
  })

  test('do not come back once they expired', async () => {
    const { userId } = await at.signUp('frida')
    await at.identity.createSession({ tokenHash: 'f', userId, expiresAt: past(), userAgent: '' })
    expect(await at.identity.extendSession('f', soon())).toBe(false)
  })
})

const limit = { attempts: 3, firstWaitMs: 60_000, longestWaitMs: 200_000 }

/** As if that much time had passed for what is counted under all keys. */
const pass = (ms: number) =>
  at.database.auth.query(
    `UPDATE attempts SET next_at = next_at - $1 * interval '1 ms', expires_at = expires_at - $1 * interval '1 ms'`,
    [ms],
  )

describe('attempts', () => {
  test('of many at once are counted one by one, by whichever process', async () => {
    const counted = await Promise.all(Array.from({ length: 8 }, () => accounts().attempts.count('k', limit)))
    const taken = counted.filter(({ waitMs }) => waitMs === 0)
    expect(new Set(taken.map(({ count }) => count))).toEqual(new Set([1, 2, 3]))
    expect(taken).toHaveLength(3)
    for (const { waitMs } of counted.filter((each) => !taken.includes(each))) {
      expect(waitMs).toBeGreaterThan(30_000)
      expect(waitMs).toBeLessThanOrEqual(60_000)
    }
  })

  test('too many are followed by waits that double up to the longest', async () => {
    const { attempts } = accounts()
    for (let index = 0; index < 3; index++) await attempts.count('w', limit)
    const waits: number[] = []
    for (let round = 0; round < 4; round++) {
      const { waitMs } = await attempts.count('w', limit)
      waits.push(Math.round(waitMs / 10_000) * 10)
      await pass(waitMs)
      expect((await attempts.count('w', limit)).waitMs).toBe(0)
    }
    expect(waits).toEqual([60, 120, 200, 200])
  })

  test('are forgotten after a success, and after the longest wait without any', async () => {
    const { attempts } = accounts()
    await attempts.count('a', limit)
    await attempts.count('a', limit)
    await attempts.forget('a')
    expect(await attempts.count('a', limit)).toEqual({ count: 1, waitMs: 0 })
    await pass(200_000)
    expect(await attempts.count('a', limit)).toEqual({ count: 1, waitMs: 0 })
    await pass(200_000)
    await sweepExpired(at.database)
    const { rows } = await at.database.auth.query('SELECT FROM attempts WHERE expires_at < now()')
    expect(rows).toEqual([])
  })

  test('are stored without saying whose they are', async () => {
    await accounts().attempts.count('passwords 192.0.2.1 ada@example.com', limit)
    const { rows } = await at.database.auth.query('SELECT key_hash FROM attempts')
    for (const { key_hash } of rows) expect(key_hash).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('changeEmail() and restoreEmail()', () => {
  test('take the address from an account that never confirmed it, and from no other', async () => {
    const squatter = await at.signUp('squatter')
    const owner = await at.signUp('owner')
    const verify = { purpose: 'verify_email' as const, userId: squatter.userId, payload: {} }
    await accounts().tickets.add({ ...verify, secretHash: 'stale', expiresAt: soon() })
    const to = 'squatter@example.com'
    // Not for somebody whose own address is another by now.
    expect(await accounts().changeEmail(owner.userId, 'other@example.com', to)).toBe(false)
    expect(await at.identity.findUserByEmail(to)).toMatchObject({ id: squatter.userId })
    const both = [owner, await at.signUp('rival')].map(({ userId }, index) =>
      accounts().changeEmail(userId, ['owner@example.com', 'rival@example.com'][index] ?? '', to),
    )
    const outcomes = await Promise.allSettled(both)
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await at.identity.findUser(squatter.userId)).toMatchObject({
      email: `${squatter.userId.toLowerCase()}@released.invalid`,
      emailVerifiedAt: null,
    })
    expect(await accounts().tickets.find('stale', 'verify_email')).toBeUndefined()
  })

  test('change the address of whoever has the old one, and give back what was there before', async () => {
    const { passkeys, linkedSignIns, totp, tickets } = accounts()
    const { userId } = await at.signUp('gerd')
    await passkeys.add(passkey('before', userId))
    await totp.begin(userId, 'sealed')
    await totp.confirm(userId, ['c1'])
    const since = new Date(Date.now() + 1)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await accounts().changeEmail(userId, 'somebody@example.com', 'gerd@new.example')).toBe(false)
    expect(await accounts().changeEmail(userId, 'gerd@example.com', 'gerd@new.example')).toBe(true)
    await accounts().confirmEmail(bob.userId)
    await expect(accounts().changeEmail(userId, 'gerd@new.example', 'bob@example.com')).rejects.toMatchObject(
      {
        field: 'email',
      },
    )
    const undo = { purpose: 'undo_email_change' as const, userId, payload: { email: 'gerd@example.com' } }
    await tickets.add({ ...undo, secretHash: 'undo', expiresAt: soon() })
    await expect(at.signUp('gerd')).rejects.toMatchObject({ field: 'email' })
    await passkeys.add(passkey('after', userId))
    await linkedSignIns.add({ issuer, subject: 'gerd', userId, email: '' })
    await at.identity.createSession({ tokenHash: 'g', userId, expiresAt: soon(), userAgent: '' })

    await accounts().restoreEmail(userId, 'gerd@example.com', since)
    expect(await at.identity.findUser(userId)).toMatchObject({
      email: 'gerd@example.com',
      passwordHash: null,
      emailVerifiedAt: expect.any(Date),
    })
    expect((await passkeys.list(userId)).map(({ id }) => id)).toEqual(['before'])
    expect(await linkedSignIns.list(userId)).toEqual([])
    expect(await totp.countRecoveryCodes(userId)).toBe(1)
    expect(await tickets.find('undo', 'undo_email_change')).toBeUndefined()
    expect(await at.identity.findSession('g')).toBeUndefined()
  })

  test('take away one-time codes that were turned on since', async () => {
    const { totp } = accounts()
    const { userId } = await at.signUp('hanna')
    // Begun before and confirmed after.
    await totp.begin(userId, 'sealed')
    const since = new Date(Date.now() - 1)
    await totp.confirm(userId, ['c1'])
    await accounts().restoreEmail(userId, 'hanna@example.com', since)
    expect(await totp.find(userId)).toBeUndefined()
    expect(await totp.countRecoveryCodes(userId)).toBe(0)
  })
})

describe('claim()', () => {
  test('leaves nothing by which whoever had the account before comes back', async () => {
    const { passkeys, totp, linkedSignIns, tickets } = accounts()
    const { userId, workspaceId } = await at.signUp('carol')
    const asCarol = testCaller(userId, { [workspaceId]: 'owner' })
    await passkeys.add(passkey('p2', userId))
    await totp.begin(userId, 'sealed')
    await totp.confirm(userId, ['c1'])
    await linkedSignIns.add({ issuer, subject: 's3', userId, email: 'carol@example.com' })
    await tickets.add({ secretHash: 'k5', purpose: 'second_factor', userId, payload: {}, expiresAt: soon() })
    await at.identity.createSession({ tokenHash: 'c1', userId, expiresAt: soon(), userAgent: '' })
    const scopes = ['read' as const]
    const token = { id: newId('apiToken'), workspaceId, name: 'CI', prefix: 'fg_1', scopes, expiresAt: null }
    await at.stores.apiTokens.create(asCarol, { ...token, tokenHash: 'carols token' })
    const app = { clientId: 'c', clientName: 'Claude', verifiedDomain: null, scopes, choices: {} }
    await at.identity.oauth.noteGrant({ ...app, id: 'g1', userId })
    await at.identity.oauth.noteGrant({ ...app, id: 'g2', userId: bob.userId })

    const claims = [1, 2].map((each) =>
      accounts().claim(userId, { passwordHash: `${each}`, name: `C${each}` }),
    )
    expect((await Promise.all(claims)).filter(Boolean)).toEqual([true])
    const claimed = await at.identity.findUser(userId)
    expect(claimed).toMatchObject({ emailVerifiedAt: expect.any(Date) })
    expect(claimed?.name).toBe(`C${claimed?.passwordHash}`)
    expect(await accounts().claim(userId, { passwordHash: 'late' })).toBe(false)
    expect(await passkeys.list(userId)).toEqual([])
    expect(await totp.find(userId)).toBeUndefined()
    expect(await totp.countRecoveryCodes(userId)).toBe(0)
    expect(await linkedSignIns.list(userId)).toEqual([])
    expect(await tickets.find('k5', 'second_factor')).toBeUndefined()
    expect(await accounts().listSessions(userId)).toEqual([])
    expect(await at.identity.findApiToken('carols token')).toBeUndefined()
    const { rows } = await at.database.auth.query(`SELECT grant_id FROM oauth_grants`)
    expect(rows).toEqual([{ grant_id: 'g2' }])
  })
})
