import { newId } from '@flamegate/contract'
import { NotPermitted } from '@flamegate/operations/ports'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { sweepExpired } from '../sweep.ts'
import { preparePeople, testCaller } from '../testing.ts'

const { at, ada, asAda } = preparePeople({ access: 'admin' })

beforeEach(async () => {
  await at.admin.query('DELETE FROM oauth_clients; DELETE FROM oauth_records; DELETE FROM oauth_grants')
})

const caller = (access: 'read' | 'admin' = 'admin') => testCaller(ada.userId, {}, access)
const registry = () => at.identity.oauthClients
const everything = { limit: 100 }
const kids = async (kind: string) => (await at.identity.keys(kind, never)).map(({ kid }) => kid)
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)
const never = () => Promise.reject(new TypeError('There is one already'))

const noted = (clientId: string, name = clientId) => ({
  clientId,
  kind: 'registered' as const,
  name,
  redirectHosts: ['agent.example'],
})

/** As if what happened to a client had happened so long ago. */
async function age(clientId: string, interval: string): Promise<void> {
  await at.admin.query(
    `UPDATE oauth_clients SET created_at = created_at - $2::interval, registered_at = registered_at - $2::interval,
      first_used_at = first_used_at - $2::interval, last_used_at = last_used_at - $2::interval WHERE client_id = $1`,
    [clientId, interval],
  )
}

async function register(clientId: string, name?: string): Promise<void> {
  await at.identity.oauth.upsert('Client', clientId, { payload: { client_id: clientId } })
  await registry().noteRegistration(noted(clientId, name))
}

async function allow(clientId: string, grantId: string): Promise<void> {
  const scopes = ['read' as const]
  const grant = { id: grantId, userId: ada.userId, clientId, clientName: clientId, scopes }
  await at.identity.oauth.noteGrant({ ...grant, verifiedDomain: null, choices: {} })
  await at.identity.oauth.upsert('Grant', grantId, { payload: { clientId }, grantId })
  await at.identity.oauth.upsert('RefreshToken', `token of ${grantId}`, { payload: { clientId }, grantId })
}

const list = (filter = {}) => at.stores.oauthClients.list(caller(), everything, filter)
const ids = async (filter = {}) => (await list(filter)).map(({ clientId }) => clientId)

describe('list()', () => {
  test('tells how a client came, when it was used and how many grants it has', async () => {
    await register('one', 'One')
    await registry().noteUse(noted('one', 'One'))
    await allow('one', 'grant-1')
    await allow('one', 'grant-2')
    expect(await list()).toEqual([
      {
        ...noted('one', 'One'),
        createdAt: expect.any(Date),
        firstUsedAt: expect.any(Date),
        lastUsedAt: expect.any(Date),
        grantCount: 2,
        blockedAt: null,
        blockReason: null,
      },
    ])
  })

  test('has clients that never registered, from their first token on', async () => {
    await registry().noteUse({ ...noted('https://agent.example/client.json'), kind: 'document' })
    expect(await list()).toMatchObject([{ kind: 'document', firstUsedAt: expect.any(Date) }])
  })

  test('pages newest first, and finds by name, id, host and whether blocked', async () => {
    for (const name of ['a', 'b', 'c']) await register(`client-${name}`, `Name ${name.toUpperCase()}%`)
    await age('client-a', '2 hours')
    await age('client-b', '1 hour')
    expect(await ids()).toEqual(['client-c', 'client-b', 'client-a'])
    const [newest, next] = await at.stores.oauthClients.list(caller(), { limit: 1 }, {})
    expect([newest?.clientId, next?.clientId]).toEqual(['client-c', 'client-b'])
    const after = { createdAt: newest?.createdAt ?? new Date(), id: 'client-c' }
    const rest = await at.stores.oauthClients.list(caller(), { limit: 5, after }, {})
    expect(rest.map(({ clientId }) => clientId)).toEqual(['client-b', 'client-a'])
    expect(await ids({ search: 'name b%' })).toEqual(['client-b'])
    expect(await ids({ search: '%B' })).toEqual([])
    expect(await ids({ search: 'IENT-A' })).toEqual(['client-a'])
    expect(await ids({ search: 'agent.ex' })).toHaveLength(3)
    await at.stores.oauthClients.setBlock(caller(), 'client-a', { reason: 'bad' })
    expect(await ids({ isBlocked: true })).toEqual(['client-a'])
    expect(await ids({ isBlocked: false })).toEqual(['client-c', 'client-b'])
  })
})

test('the first and the last use are kept, the last to the hour', async () => {
  await register('one')
  expect(await list()).toMatchObject([{ firstUsedAt: null, lastUsedAt: null }])
  await registry().noteUse(noted('one'))
  const [first] = await list()
  await registry().noteUse(noted('one'))
  expect((await list())[0]?.lastUsedAt).toEqual(first?.lastUsedAt)
  await age('one', '2 hours')
  await registry().noteUse(noted('one'))
  const [later] = await list()
  expect(Number(later?.lastUsedAt) - Number(later?.firstUsedAt)).toBeGreaterThan(7_000_000)
})

describe('setBlock()', () => {
  test('ends the grants of the client on every process, and no others', async () => {
    const heard: string[] = []
    const watch = await at.identity.watchRevocations((grantId) => heard.push(grantId))
    await register('bad')
    await register('good')
    await allow('bad', 'grant-bad-1')
    await allow('bad', 'grant-bad-2')
    await allow('good', 'grant-good')
    const blocked = await at.stores.oauthClients.setBlock(caller(), 'bad', { reason: 'It deletes things.' })
    expect(blocked).toMatchObject({
      client: {
        clientId: 'bad',
        blockedAt: expect.any(Date),
        blockReason: 'It deletes things.',
        grantCount: 0,
      },
      revokedGrants: 2,
    })
    await vi.waitFor(
      () => expect(heard).toEqual(expect.arrayContaining(['grant-bad-1', 'grant-bad-2'])),
      1_000,
    )
    expect(heard).not.toContain('grant-good')
    expect(await at.identity.oauth.find('RefreshToken', 'token of grant-bad-1')).toBeUndefined()
    expect(await at.identity.oauth.find('RefreshToken', 'token of grant-good')).toBeDefined()
    expect(await registry().findBlock('bad')).toEqual({ reason: 'It deletes things.' })
    expect(await registry().findBlock('good')).toBeUndefined()
    await watch.close()
  })

  test('ends a machine, whose client id is that of its API token, until it is taken back', async () => {
    const token = await at.stores.apiTokens.create(asAda(), {
      id: newId('apiToken'),
      workspaceId: ada.workspaceId,
      name: 'Nightly',
      tokenHash: 'hash of a machine',
      prefix: 'fg_nightly',
      scopes: ['read'],
      expiresAt: null,
    })
    const isGood = async () => [
      (await at.identity.findApiTokenById(token.id)) !== undefined,
      (await at.identity.findApiToken('hash of a machine')) !== undefined,
    ]
    await registry().noteUse({ ...noted(token.id), kind: 'machine' })
    expect(await isGood()).toEqual([true, true])
    await at.stores.oauthClients.setBlock(caller(), token.id, { reason: 'x' })
    expect(await isGood()).toEqual([false, false])
    await at.stores.oauthClients.setBlock(caller(), token.id, null)
    expect(await isGood()).toEqual([true, true])
  })

  test('stays when the client registers again or is swept, until it is taken back', async () => {
    await register('bad')
    await at.stores.oauthClients.setBlock(caller(), 'bad', { reason: 'x' })
    await register('bad')
    await registry().noteUse(noted('bad'))
    await age('bad', '400 days')
    await sweepExpired(at.database)
    expect(await registry().findBlock('bad')).toEqual({ reason: 'x' })
    expect(await at.stores.oauthClients.setBlock(caller(), 'bad', null)).toMatchObject({
      client: { blockedAt: null, blockReason: null },
    })
    expect(await registry().findBlock('bad')).toBeUndefined()
  })

  test('knows no client that never came', async () => {
    expect(await at.stores.oauthClients.setBlock(caller(), 'nobody', { reason: 'x' })).toBeUndefined()
  })

  test('is not for a call that only reads', async () => {
    await register('one')
    expect(() => at.stores.oauthClients.setBlock(caller('read'), 'one', { reason: 'x' })).toThrow(
      NotPermitted,
    )
  })
})

describe('unused clients', () => {
  test('are told and removed when asked to; those with grants, recent and blocked ones stay', async () => {
    for (const id of ['old', 'granted', 'recent', 'used', 'blocked']) await register(id)
    await allow('granted', 'grant')
    for (const id of ['old', 'granted', 'used', 'blocked']) await age(id, '2 days')
    await registry().noteUse(noted('used'))
    await at.stores.oauthClients.setBlock(caller(), 'blocked', { reason: 'x' })
    const unused = [{ clientId: 'old', name: 'old' }]
    const ask = (isDryRun: boolean) =>
      at.stores.oauthClients.removeUnused(caller(), { since: inMinutes(-1_440), isDryRun })
    expect(await ask(true)).toEqual(unused)
    expect(await ask(true)).toEqual(unused)
    expect(await ask(false)).toEqual(unused)
    expect(await ask(false)).toEqual([])
    expect(await ids()).not.toContain('old')
    expect(await at.identity.oauth.find('Client', 'old')).toBeUndefined()
    expect(await at.identity.oauth.find('Client', 'used')).toBeDefined()
  })

  test.each([
    ['never used, registered 6 days ago', '6 days', false, true],
    ['never used, registered 8 days ago', '8 days', false, false],
    ['last used 179 days ago', '179 days', true, true],
    ['last used 181 days ago', '181 days', true, false],
  ])('the sweep: %s', async (_what, interval, isUsed, stays) => {
    await register('one')
    if (isUsed) await registry().noteUse(noted('one'))
    await allow('one', 'grant')
    await at.identity.oauth.upsert('RegistrationAccessToken', 'management', { payload: { clientId: 'one' } })
    await age('one', interval)
    await sweepExpired(at.database)
    expect(await ids()).toEqual(stays ? ['one'] : [])
    expect((await at.identity.oauth.find('Client', 'one')) !== undefined).toBe(stays)
    expect((await at.identity.oauth.find('RegistrationAccessToken', 'management')) !== undefined).toBe(stays)
  })

  test('registering again gives a client its week anew', async () => {
    await register('one')
    await age('one', '8 days')
    await register('one')
    await sweepExpired(at.database)
    expect(await ids()).toEqual(['one'])
  })
})

test('remove() forgets a client and ends its grants', async () => {
  await register('one')
  await allow('one', 'grant')
  await registry().remove('one')
  expect(await ids()).toEqual([])
  expect(await at.identity.oauth.find('Client', 'one')).toBeUndefined()
  expect(await at.identity.oauth.find('Grant', 'grant')).toBeUndefined()
})

test('the first of two equal records stays', async () => {
  await at.identity.oauth.add('RefreshToken', 'id', { payload: { is: 'first' } })
  await at.identity.oauth.consume('RefreshToken', 'id')
  await at.identity.oauth.add('RefreshToken', 'id', { payload: { is: 'second' } })
  expect(await at.identity.oauth.find('RefreshToken', 'id')).toMatchObject({
    payload: { is: 'first' },
    consumedMsAgo: expect.any(Number),
  })
})

test('documents are kept in their last version, and swept a month after they were fetched', async () => {
  const { clientDocuments } = at.identity
  const url = 'https://agent.example/client.json'
  const freshUntil = new Date(Date.now() + 60_000)
  await clientDocuments.keep(url, { body: 'first', freshUntil: new Date(0) })
  await clientDocuments.keep(url, { body: 'second', freshUntil })
  expect(await clientDocuments.find(url)).toEqual({ body: 'second', freshUntil, fetchedAt: expect.any(Date) })
  await sweepExpired(at.database)
  expect(await clientDocuments.find(url)).toBeDefined()
  await at.admin.query(`UPDATE oauth_client_documents SET fetched_at = fetched_at - interval '31 days'`)
  await sweepExpired(at.database)
  expect(await clientDocuments.find(url)).toBeUndefined()
})

describe('keys', () => {
  test('a new key comes after the one in use until it is active, and then before it', async () => {
    await at.identity.keys('jwks', async () => ({ kid: 'first' }))
    await at.identity.addKey('jwks', { kid: 'second' }, inMinutes(60))
    expect(await kids('jwks')).toEqual(['first', 'second'])
    await at.admin.query(
      `UPDATE oauth_keys SET active_at = active_at - interval '2 hours' WHERE kind = 'jwks'`,
    )
    expect(await kids('jwks')).toEqual(['second', 'first'])
  })

  test('a key that was replaced a month ago goes with the next rotation, and not before', async () => {
    await at.identity.keys('cookie', async () => ({ kid: 'first' }))
    await at.admin.query(
      `UPDATE oauth_keys SET active_at = active_at - interval '1 hour' WHERE kind = 'cookie'`,
    )
    await at.identity.addKey('cookie', { kid: 'second' }, inMinutes(-1))
    await at.identity.addKey('cookie', { kid: 'third' }, inMinutes(-0.5))
    expect(await kids('cookie')).toEqual(['third', 'second', 'first'])
    await at.admin.query(
      `UPDATE oauth_keys SET active_at = active_at - interval '31 days' WHERE kind = 'cookie'`,
    )
    await at.identity.addKey('cookie', { kid: 'fourth' }, inMinutes(60))
    expect(await kids('cookie')).toEqual(['third', 'fourth'])
  })
})
