import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { newId } from '@flamegate/contract'
import { NotPermitted } from '@flamegate/operations/ports'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { sweepExpired } from '../sweep.ts'
import { preparePeople, testCaller } from '../testing.ts'

const { at, ada, bob, asAda, asViewer } = preparePeople({ access: 'admin' })
const asBob = (access: 'read' | 'write' | 'admin' = 'admin') =>
  testCaller(bob.userId, { [bob.workspaceId]: 'owner', [ada.workspaceId]: 'member' }, access)
const soon = () => new Date(Date.now() + 60_000)
const past = () => new Date(Date.now() - 1)

const newToken = (tokenHash: string, expiresAt: Date | null = null) => ({
  id: newId('apiToken'),
  workspaceId: ada.workspaceId,
  name: 'CI',
  prefix: 'fg_12',
  scopes: ['read' as const, 'upload' as const],
  expiresAt,
  tokenHash,
})

const grant = (id: string, userId: string) => ({
  id,
  userId,
  clientId: 'https://claude.ai/client.json',
  clientName: 'Claude',
  verifiedDomain: 'claude.ai',
  scopes: ['read' as const],
  choices: {},
})

describe('sessions', () => {
  test('are found until they expire or are removed', async () => {
    const expiresAt = soon()
    await at.identity.createSession({ tokenHash: 's1', userId: ada.userId, expiresAt, userAgent: 'test' })
    await at.identity.createSession({
      tokenHash: 's2',
      userId: ada.userId,
      expiresAt: past(),
      userAgent: 'test',
    })
    expect(await at.identity.findSession('s1')).toEqual({
      userId: ada.userId,
      createdAt: expect.any(Date),
      expiresAt,
      provedAt: null,
    })
    expect(await at.identity.findSession('s2')).toBeUndefined()
    await at.identity.removeSession('s1')
    expect(await at.identity.findSession('s1')).toBeUndefined()
  })
})

describe('API tokens', () => {
  test('prove who calls until they expire or are revoked, and remember their use', async () => {
    const { tokenHash, ...token } = newToken('t1')
    const created = await at.stores.apiTokens.create(asAda('write'), { ...token, tokenHash })
    expect(created).toEqual({
      ...token,
      userId: ada.userId,
      createdAt: expect.any(Date),
      lastUsedAt: null,
      revokedAt: null,
    })
    expect(await at.identity.findApiToken('t1')).toEqual({
      id: token.id,
      projectId: null,
      liveAppId: null,
      name: 'CI',
      userId: ada.userId,
      workspaceId: ada.workspaceId,
      scopes: ['read', 'upload'],
      expiresAt: null,
    })
    expect(await at.identity.findApiTokenById(token.id)).toMatchObject({ id: token.id, tokenHash: 't1' })
    const used = await at.stores.apiTokens.find(asAda('read'), token.id)
    expect(used?.lastUsedAt).toEqual(expect.any(Date))
    await at.identity.findApiToken('t1')
    expect(await at.stores.apiTokens.find(asAda('read'), token.id)).toEqual(used)
    expect(await at.stores.apiTokens.revoke(asAda('write'), token.id)).toBe(true)
    expect(await at.stores.apiTokens.revoke(asAda('write'), token.id)).toBe(false)
    expect(await at.identity.findApiToken('t1')).toBeUndefined()
    expect(await at.identity.findApiTokenById(token.id)).toBeUndefined()
    expect(await at.stores.apiTokens.find(asAda('read'), token.id)).toMatchObject({
      revokedAt: expect.any(Date),
    })
    await at.stores.apiTokens.create(asAda('write'), newToken('t2', past()))
    expect(await at.identity.findApiToken('t2')).toBeUndefined()
  })

  test("are one's own, but an admin sees and revokes everybody's", async () => {
    await at.stores.workspaces.invite(asAda(), ada.workspaceId, {
      id: newId('invitation'),
      email: 'bob@example.com',
      role: 'member',
      tokenHash: 'invitation of bob',
      expiresAt: soon(),
    })
    await at.identity.acceptInvitation(bob.userId, { tokenHash: 'invitation of bob' })
    const adas = await at.stores.apiTokens.create(asAda('write'), newToken('t3'))
    const bobs = await at.stores.apiTokens.create(asBob('write'), newToken('t4'))
    const list = async (caller: ReturnType<typeof asAda>) =>
      (await at.stores.apiTokens.list(caller, ada.workspaceId)).map(({ id }) => id)
    expect(await list(asBob())).toEqual([bobs.id])
    expect(await list(asAda())).toEqual(expect.arrayContaining([bobs.id, adas.id]))
    expect(await list(asAda('read'))).toContain(bobs.id)
    expect(await at.stores.apiTokens.revoke(asBob(), adas.id)).toBe(false)
    await expect(at.stores.apiTokens.revoke(asBob('read'), bobs.id)).rejects.toThrow(NotPermitted)
    expect(await at.stores.apiTokens.revoke(asAda(), bobs.id)).toBe(true)
    expect(await at.identity.findApiToken('t4')).toBeUndefined()
    expect(await at.identity.findApiToken('t3')).toBeDefined()
  })

  test('are not made by viewers or in workspaces of others', async () => {
    await expect(at.stores.apiTokens.create(asViewer(), newToken('t5'))).rejects.toThrow(NotPermitted)
    await expect(
      at.stores.apiTokens.create(asAda(), { ...newToken('t6'), workspaceId: bob.workspaceId }),
    ).rejects.toThrow(NotPermitted)
  })
})

const oauth = () => at.identity.oauth

describe('OAuth records', () => {
  test('are found by id, uid and user code of their model, and replaced', async () => {
    const expiresAt = soon()
    await oauth().upsert('Session', 'r1', { payload: { a: 1 }, uid: 'u1', accountId: ada.userId, expiresAt })
    await oauth().upsert('DeviceCode', 'r1', { payload: { b: [1] }, userCode: 'c1' })
    expect(await oauth().find('Session', 'r1')).toEqual({ payload: { a: 1 }, consumedMsAgo: null, expiresAt })
    expect(await oauth().findByUid('Session', 'u1')).toEqual({
      payload: { a: 1 },
      consumedMsAgo: null,
      expiresAt,
    })
    expect(await oauth().findByUserCode('DeviceCode', 'c1')).toEqual({
      payload: { b: [1] },
      consumedMsAgo: null,
      expiresAt: null,
    })
    expect(await oauth().findByUid('DeviceCode', 'u1')).toBeUndefined()
    await oauth().upsert('Session', 'r1', { payload: { a: 2 }, uid: 'u2' })
    expect(await oauth().findByUid('Session', 'u1')).toBeUndefined()
    expect(await oauth().findByUid('Session', 'u2')).toMatchObject({ payload: { a: 2 }, expiresAt: null })
    await oauth().destroy('Session', 'r1')
    expect(await oauth().find('Session', 'r1')).toBeUndefined()
    expect(await oauth().find('DeviceCode', 'r1')).toBeDefined()
  })

  test('with a zero character are stored without it, and looked for without an error', async () => {
    await oauth().upsert('Client', 'zero', { payload: { client_name: 'a\0b' } })
    expect(await oauth().find('Client', 'zero')).toMatchObject({ payload: { client_name: 'a\uFFFDb' } })
    expect(await oauth().find('Client', 'no\0ne')).toBeUndefined()
    expect(await at.identity.findSession('no\0ne')).toBeUndefined()
  })

  test('are added once, whoever comes first', async () => {
    const add = (by: number) => oauth().add('ReplayDetection', 'a1', { payload: { by } })
    const added = await Promise.all([1, 2, 3].map(add))
    expect(added.filter((isFirst) => isFirst)).toEqual([true])
    expect((await oauth().find('ReplayDetection', 'a1'))?.payload).toEqual({ by: added.indexOf(true) + 1 })
  })

  test('count how often a program asks for a device code, whatever is stored in between', async () => {
    await oauth().upsert('DeviceCode', 'd1', { payload: { clientId: 'cli' } })
    expect(await oauth().notePoll('d1')).toBe(true)
    await agePoll('d1', 5)
    expect(await oauth().notePoll('d1')).toBe(true)
    expect(await oauth().notePoll('d1')).toBe(false)
    await agePoll('d1', 6)
    expect(await oauth().notePoll('d1')).toBe(false)
    await agePoll('d1', 15)
    const atOnce = await Promise.all([1, 2, 3].map(() => oauth().notePoll('d1')))
    expect(atOnce.filter((isInTime) => isInTime)).toEqual([true])
    expect((await oauth().find('DeviceCode', 'd1'))?.payload).toMatchObject({
      clientId: 'cli',
      pollIntervalSeconds: 25,
    })
    await oauth().upsert('DeviceCode', 'd1', { payload: { clientId: 'cli', accountId: ada.userId } })
    expect(await oauth().notePoll('gone')).toBe(true)
  })

  test('remember when they were consumed first, and are consumed once', async () => {
    await oauth().upsert('RefreshToken', 'r2', { payload: {} })
    const consumed = await Promise.all([1, 2, 3].map(() => oauth().consume('RefreshToken', 'r2')))
    expect(consumed.filter((isFirst) => isFirst)).toEqual([true])
    await wait(20)
    expect(await oauth().consume('RefreshToken', 'r2')).toBe(false)
    expect((await oauth().find('RefreshToken', 'r2'))?.consumedMsAgo).toBeGreaterThanOrEqual(20)
    expect(await oauth().consume('RefreshToken', 'gone')).toBe(false)
  })

  test('tell how long ago they were consumed, whatever the clock of this process says', async () => {
    await oauth().upsert('RefreshToken', 'r3', { payload: {} })
    await oauth().consume('RefreshToken', 'r3')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    const record = await oauth().find('RefreshToken', 'r3')
    vi.useRealTimers()
    expect(record?.consumedMsAgo).toBeLessThan(60_000)
  })
})

describe('connected apps', () => {
  test('are listed with their use, and only to their person', async () => {
    await at.identity.oauth.noteGrant(grant('g1', ada.userId))
    await at.identity.oauth.noteGrant({ ...grant('g1', ada.userId), scopes: ['read', 'write'] })
    await at.identity.oauth.noteUse('g1', 3, new Date('2026-01-01T00:00:00.000Z'))
    await at.identity.oauth.noteUse('g1', 2, new Date('2025-01-01T00:00:00.000Z'))
    expect(await at.stores.connectedApps.list(asAda('read'))).toEqual([
      {
        id: 'g1',
        clientId: 'https://claude.ai/client.json',
        clientName: 'Claude',
        verifiedDomain: 'claude.ai',
        scopes: ['read', 'write'],
        choices: {},
        createdAt: expect.any(Date),
        lastUsedAt: new Date('2026-01-01T00:00:00.000Z'),
        callCount: 5,
      },
    ])
    expect(await at.stores.connectedApps.list(asBob('read'))).toEqual([])
  })

  test('are revoked by their person only, with everything that the grant issued', async () => {
    await at.identity.oauth.noteGrant(grant('g2', ada.userId))
    await at.identity.oauth.upsert('Grant', 'g2', { payload: {} })
    await at.identity.oauth.upsert('RefreshToken', 'of g2', { payload: {}, grantId: 'g2' })
    await at.identity.oauth.upsert('RefreshToken', 'of another', { payload: {}, grantId: 'g3' })
    expect(await at.stores.connectedApps.revoke(asBob(), 'g2')).toBe(false)
    expect(() => at.stores.connectedApps.revoke(asAda('read'), 'g2')).toThrow(NotPermitted)
    expect(await at.stores.connectedApps.revoke(asAda('write'), 'g2')).toBe(true)
    expect(await at.identity.oauth.find('Grant', 'g2')).toBeUndefined()
    expect(await at.identity.oauth.find('RefreshToken', 'of g2')).toBeUndefined()
    expect(await at.identity.oauth.find('RefreshToken', 'of another')).toBeDefined()
    expect((await at.stores.connectedApps.list(asAda('read'))).map(({ id }) => id)).toEqual(['g1'])
    expect(await at.stores.connectedApps.revoke(asAda('write'), 'g2')).toBe(false)
  })
})

describe('choices of a grant', () => {
  const choices = { workspaceIds: ['ws_1'], toolsets: ['profiles' as const], isReadOnly: true }
  const ofClient = { clientId: 'https://chosen.example/client.json' }

  test('are kept, changed by their person only, and end with the grant', async () => {
    const { grants } = at.identity
    await oauth().noteGrant({ ...grant('g4', ada.userId), ...ofClient })
    expect(await grants.findChoices(ada.userId, 'g4')).toEqual({})
    expect(await grants.findChoices(bob.userId, 'g4')).toBeUndefined()
    expect(await grants.changeChoices(bob.userId, 'g4', choices)).toBe(false)
    expect(await grants.changeChoices(ada.userId, 'g4', choices)).toBe(true)
    expect(await grants.findChoices(ada.userId, 'g4')).toEqual(choices)
    expect(await at.stores.connectedApps.list(asAda('read'))).toContainEqual(
      expect.objectContaining({ id: 'g4', choices }),
    )
    await oauth().revokeGrant('g4')
    expect(await grants.findChoices(ada.userId, 'g4')).toBeUndefined()
    expect(await grants.changeChoices(ada.userId, 'g4', {})).toBe(false)
  })

  test('are those of the latest grant, per person and client', async () => {
    const { grants } = at.identity
    await oauth().noteGrant({ ...grant('g5', ada.userId), ...ofClient })
    await wait(5)
    await oauth().noteGrant({ ...grant('g6', ada.userId), ...ofClient, choices })
    expect(await grants.findLatestChoices(ada.userId, ofClient.clientId)).toEqual(choices)
    expect(await grants.findLatestChoices(bob.userId, ofClient.clientId)).toBeUndefined()
    expect(await grants.findLatestChoices(ada.userId, 'another')).toBeUndefined()
  })

  test('are made among the workspaces that a person is in', async () => {
    const { userId, workspaceId } = await at.signUp('cem')
    expect(await at.identity.grants.listWorkspaces(userId)).toEqual([
      { id: workspaceId, name: 'Workspace of cem' },
    ])
    expect(await at.identity.grants.listWorkspaces('usr_nobody')).toEqual([])
  })
})

test('listMemberships() tells where a person is what', async () => {
  const { userId, workspaceId } = await at.signUp('dan')
  expect(await at.identity.listMemberships(userId)).toEqual([
    { workspaceId, slug: expect.any(String), name: 'Workspace of dan', role: 'owner' },
  ])
  expect(await at.identity.listMemberships('usr_nobody')).toEqual([])
})

describe('watchRevocations()', () => {
  test('tells what was revoked before and, within a second, what is revoked now', async () => {
    await at.identity.oauth.revokeGrant('before')
    const heard: string[] = []
    const watch = await at.identity.watchRevocations((grantId) => heard.push(grantId))
    expect(heard).toContain('before')
    await at.identity.oauth.revokeGrant('now')
    await vi.waitFor(() => expect(heard).toContain('now'), { timeout: 1_000, interval: 10 })
    await watch.close()
    await at.identity.oauth.revokeGrant('after')
    await wait(100)
    expect(heard).not.toContain('after')
  })

  test('tells changed choices with their version, also those from before, and the same choices not', async () => {
    const { grants } = at.identity
    const choices = { isReadOnly: true }
    const told: unknown[] = []
    const watch = await at.identity.watchRevocations((...change) => told.push(change))
    await oauth().noteGrant(grant('narrowed', ada.userId))
    expect(await grants.findVersionedChoices(ada.userId, 'narrowed')).toEqual({ choices: {}, version: 0 })
    await grants.changeChoices(ada.userId, 'narrowed', choices)
    await grants.changeChoices(ada.userId, 'narrowed', choices)
    await oauth().noteGrant({ ...grant('narrowed', ada.userId), choices: {} })
    await vi.waitFor(() => expect(told).toContainEqual(['narrowed', 2]), { timeout: 1_000, interval: 10 })
    expect(told.filter((change) => String(change).startsWith('narrowed'))).toEqual([
      ['narrowed', 1],
      ['narrowed', 2],
    ])
    expect(await grants.findVersionedChoices(ada.userId, 'narrowed')).toEqual({ choices: {}, version: 2 })
    expect(await grants.findVersionedChoices(bob.userId, 'narrowed')).toBeUndefined()
    await watch.close()
    const late: unknown[] = []
    await (await at.identity.watchRevocations((...change) => late.push(change))).close()
    expect(late).toContainEqual(['narrowed', 2])
  })

  test('hears within one and a half seconds what happened while its connection hung', async () => {
    const proxy = await startHangingProxy(at.database.authUrl)
    onTestFinished(() => proxy.close())
    const heard: string[] = []
    const { watchRevocations } = await import('../revocations.ts')
    const watch = await watchRevocations({ ...at.database, authUrl: proxy.url }, (grantId) =>
      heard.push(grantId),
    )
    onTestFinished(() => watch.close())
    proxy.hang()
    await at.identity.oauth.revokeGrant('while hung')
    await vi.waitFor(() => expect(heard).toContain('while hung'), { timeout: 1_500, interval: 10 })
  })

  test('goes on after its connection broke, and misses nothing', async () => {
    const failures: unknown[] = []
    const heard: string[] = []
    const { watchRevocations } = await import('../revocations.ts')
    const watch = await watchRevocations(
      { ...at.database, log: { info: () => undefined, error: ({ err }) => failures.push(err) } },
      (grantId) => heard.push(grantId),
    )
    await at.admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'flamegate revocations' AND datname = current_database()`,
    )
    await at.identity.oauth.revokeGrant('while away')
    await vi.waitFor(() => expect(heard).toContain('while away'), { timeout: 20_000, interval: 20 })
    await at.identity.oauth.revokeGrant('when back')
    await vi.waitFor(() => expect(heard).toContain('when back'), { timeout: 1_000, interval: 20 })
    expect(failures).not.toEqual([])
    await watch.close()
  })
})

test('keys() are made once, whoever comes first, and shared', async () => {
  let made = 0
  const make = async () => {
    made += 1
    await wait(20)
    return { keys: [made] }
  }
  const found = await Promise.all([1, 2, 3].map(() => at.identity.keys('jwks', make)))
  expect(found).toEqual([[{ keys: [1] }], [{ keys: [1] }], [{ keys: [1] }]])
  expect(await at.identity.keys('cookie', make)).toEqual([{ keys: [2] }])
  expect(made).toBe(2)
})

test('sweepExpired() removes what is past its time, of everybody, and nothing else', async () => {
  await at.identity.createSession({ tokenHash: 'old', userId: ada.userId, expiresAt: past(), userAgent: '' })
  await at.identity.createSession({ tokenHash: 'new', userId: ada.userId, expiresAt: soon(), userAgent: '' })
  await at.identity.oauth.upsert('Session', 'old', { payload: {}, expiresAt: past() })
  await at.identity.oauth.upsert('Session', 'forever', { payload: {} })
  await at.stores.idempotency.claim(asAda(), 'key', { operation: 'create_project', requestHash: 'h' })
  await at.admin.query(
    `INSERT INTO idempotency_keys (user_id, key, operation, request_hash, status, expires_at)
      VALUES ($1, 'old', 'create_project', 'h', 'DONE', now() - interval '1 minute')`,
    [bob.userId],
  )
  const due = await sweepExpired(at.database, { isDry: true })
  expect(due).toBeGreaterThanOrEqual(3)
  expect(await sweepExpired(at.database)).toBe(due)
  expect(await sweepExpired(at.database)).toBe(0)
  const { rows } = await at.admin.query('SELECT key FROM idempotency_keys')
  expect(rows).toEqual([{ key: 'key' }])
  expect(await at.identity.findSession('new')).toBeDefined()
  expect(await at.identity.oauth.find('Session', 'old')).toBeUndefined()
  expect(await at.identity.oauth.find('Session', 'forever')).toBeDefined()
})

test('a connected app whose grant has expired is swept from the list', async () => {
  for (const [id, expiresAt] of [['over', past()] as const, ['lasting', soon()] as const]) {
    await at.identity.oauth.upsert('Grant', id, { payload: {}, grantId: id, expiresAt })
    await at.identity.oauth.noteGrant(grant(id, ada.userId))
  }
  await sweepExpired(at.database)
  const listed = (await at.stores.connectedApps.list(asAda('read'))).map(({ id }) => id)
  expect(listed).toContain('lasting')
  expect(listed).not.toContain('over')
})

/** As if the last poll of a device code had been so much earlier. */
async function agePoll(id: string, seconds: number): Promise<void> {
  await at.database.auth.query(
    `UPDATE oauth_records SET payload = jsonb_set(payload, '{polledAt}',
      to_jsonb((payload ->> 'polledAt')::double precision - $2::int)) WHERE id = $1`,
    [id, seconds],
  )
}

/** A way to the database on which everything that is connected can fall silent, without being closed. */
async function startHangingProxy(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => undefined)
    }
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The proxy listens on a port')
  const url = new URL(databaseUrl)
  url.port = String(address.port)
  return {
    url: url.href,
    hang() {
      for (const socket of open) socket.unpipe().pause()
    },
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
