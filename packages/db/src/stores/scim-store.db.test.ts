import { newId, type Caller, type Role } from '@flamegate/contract'
import { NotPermitted, type ScimAttributes } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { plainInvitation, prepareStores, testCaller } from '../testing.ts'

const at = prepareStores()

const all = { skip: 0, limit: 100 }

interface Tenant {
  userId: string
  workspaceId: string
  /** As its SCIM token. */
  scim: Caller
}

/** A workspace that proved a domain, and its owner, whose address is not of it. */
async function addTenant(name: string, domain: string): Promise<Tenant> {
  const { userId, workspaceId } = await at.signUp(name)
  const owner = callerOf(userId, workspaceId, 'owner')
  await at.stores.sso.addDomain(owner, workspaceId, { domain, token: `token of ${name}` })
  await at.stores.sso.noteCheck(owner, workspaceId, domain, { method: 'dns' })
  return { userId, workspaceId, scim: callerOf('sct_token', workspaceId, 'admin') }
}

function callerOf(userId: string, workspaceId: string, role: Role): Caller {
  return testCaller(userId, { [workspaceId]: role }, 'admin')
}

async function addPerson(email: string): Promise<string> {
  const id = newId('user')
  const workspace = { id: newId('workspace'), slug: id.replaceAll('_', '-'), name: email }
  await at.identity.createUser({ id, email, name: email, passwordHash: null }, workspace)
  return id
}

const attributes = (userName: string, changes: Partial<ScimAttributes> = {}): ScimAttributes => ({
  userName,
  externalId: null,
  displayName: null,
  givenName: null,
  familyName: null,
  ...changes,
})

test('a token opens its own workspace, until another takes its place or it is removed', async () => {
  const tenant = await addTenant('tom', 'tom.example')
  const { workspaceId } = tenant
  const owner = callerOf(tenant.userId, workspaceId, 'owner')
  const { scim } = at.stores
  const token = { workspaceId, prefix: 'fg_abcde', defaultRole: 'viewer' as const }
  await scim.setToken(owner, { ...token, id: 'sct_1', tokenHash: 'first' })
  expect(await at.identity.scim.findToken('first')).toMatchObject({ ...token, id: 'sct_1', lastUsedAt: null })
  expect((await scim.findToken(owner, workspaceId))?.lastUsedAt).toBeInstanceOf(Date)
  await scim.setToken(owner, { ...token, id: 'sct_2', tokenHash: 'second', defaultRole: 'member' })
  expect(await at.identity.scim.findToken('first')).toBeUndefined()
  expect(await at.identity.scim.findToken('second')).toMatchObject({ id: 'sct_2', defaultRole: 'member' })
  expect(await scim.findToken(owner, workspaceId)).toMatchObject({
    id: 'sct_2',
    lastUsedAt: expect.any(Date),
  })
  expect(await scim.removeToken(owner, workspaceId)).toBe(true)
  expect(await scim.removeToken(owner, workspaceId)).toBe(false)
  expect(await at.identity.scim.findToken('second')).toBeUndefined()
})

test('of a workspace that is to be deleted, the token counts no more', async () => {
  const { userId, workspaceId } = await addTenant('del', 'del.example')
  const owner = callerOf(userId, workspaceId, 'owner')
  const token = { id: 'sct_3', workspaceId, prefix: 'fg_abcde', defaultRole: 'viewer' as const }
  await at.stores.scim.setToken(owner, { ...token, tokenHash: 'of the deleted' })
  await at.stores.workspaces.setDeletion(owner, workspaceId, new Date(Date.now() + 60_000))
  expect(await at.identity.scim.findToken('of the deleted')).toBeUndefined()
})

test('it sees members with an address of a proved domain, and those who were provisioned and left', async () => {
  const { workspaceId, scim: caller } = await addTenant('sia', 'sia.example')
  const { scim } = at.stores
  const [guest, member] = [await addPerson('guest@else.example'), await addPerson('mia@sia.example')]
  for (const userId of [guest, member]) await at.identity.scim.join(workspaceId, userId, 'viewer')
  const list = async (query = {}) => scim.list(caller, workspaceId, query, all)
  expect(await list()).toMatchObject({
    total: 1,
    people: [{ userId: member, userName: 'mia@sia.example', isActive: true, isProvisioned: false }],
  })
  const told = attributes('Mia.M', { externalId: 'ext-1', givenName: 'Mia' })
  await scim.save(caller, workspaceId, { ...told, userId: member, email: 'mia@sia.example' })
  for (const query of [
    { userName: 'MIA.m' },
    { externalId: 'ext-1' },
    { userId: member },
    { email: 'Mia@sia.example' },
  ])
    expect(await list(query)).toMatchObject({
      total: 1,
      people: [{ ...told, userId: member, isProvisioned: true }],
    })
  for (const query of [
    { userName: 'mia@sia.example' },
    { userId: guest },
    { userName: 'mia.m', externalId: 'no' },
  ])
    expect(await list(query)).toEqual({ total: 0, people: [] })
  expect(await at.stores.workspaces.removeMember(caller, workspaceId, member)).toBe(true)
  expect(await list()).toMatchObject({
    people: [{ ...told, userId: member, email: 'mia@sia.example', isActive: false }],
  })
  await scim.forget(caller, workspaceId, member)
  expect(await list()).toEqual({ total: 0, people: [] })
})

test('who is provisioned or let go has no invitation any more by which to come back', async () => {
  const tenant = await addTenant('ida', 'ida.example')
  const { workspaceId, scim: caller } = tenant
  const email = 'jo@ida.example'
  const userId = await addPerson(email)
  const { workspaces } = at.stores
  const owner = callerOf(tenant.userId, workspaceId, 'owner')
  await at.stores.workspaces.invite(owner, workspaceId, plainInvitation(email))
  await at.stores.workspaces.invite(owner, workspaceId, plainInvitation('other@ida.example'))
  await at.identity.scim.join(workspaceId, userId, 'viewer')
  const others = [{ email: 'other@ida.example' }]
  expect(await workspaces.listInvitations(owner, workspaceId)).toMatchObject(others)
  await at.stores.workspaces.invite(owner, workspaceId, plainInvitation(email))
  expect(await workspaces.removeMember(caller, workspaceId, userId)).toBe(true)
  expect(await workspaces.listInvitations(owner, workspaceId)).toMatchObject(others)
})

test('pages are told in one order, with how many there are', async () => {
  const { workspaceId, scim: caller } = await addTenant('pia', 'pia.example')
  const ids: string[] = []
  for (const name of ['a', 'b', 'c']) {
    const email = `${name}@pia.example`
    const userId = await addPerson(email)
    await at.stores.scim.save(caller, workspaceId, { ...attributes(email), userId, email })
    ids.push(userId)
  }
  const page = (skip: number, limit: number) => at.stores.scim.list(caller, workspaceId, {}, { skip, limit })
  const found = [await page(0, 2), await page(2, 2)]
  expect(found.flatMap(({ people }) => people.map(({ userId }) => userId)).toSorted()).toEqual(ids.toSorted())
  expect(found.map(({ total, people }) => [total, people.length])).toEqual([
    [3, 2],
    [3, 1],
  ])
  expect(await page(3, 2)).toEqual({ total: 3, people: [] })
  expect(await page(0, 0)).toEqual({ total: 3, people: [] })
})

test('two people of a workspace are not called the same, whatever the case', async () => {
  const { workspaceId, scim: caller } = await addTenant('una', 'una.example')
  const [one, two] = [await addPerson('one@una.example'), await addPerson('two@una.example')]
  const save = (userId: string, userName: string) =>
    at.stores.scim.save(caller, workspaceId, { ...attributes(userName), userId, email: 'x@una.example' })
  await save(one, 'Una')
  await expect(save(two, 'uNA')).rejects.toMatchObject({ field: 'userName' })
  await save(one, 'UNA')
})

test('the token of one workspace sees and changes nobody of another', async () => {
  const [mine, yours] = [await addTenant('mine', 'mine.example'), await addTenant('yours', 'yours.example')]
  const userId = await addPerson('yan@yours.example')
  await at.identity.scim.join(yours.workspaceId, userId, 'member')
  const { scim, workspaces } = at.stores
  const person = { ...attributes('yan'), userId, email: 'yan@yours.example' }
  await scim.save(yours.scim, yours.workspaceId, person)
  expect(await scim.list(mine.scim, yours.workspaceId, {}, all)).toEqual({ total: 0, people: [] })
  expect(await scim.list(mine.scim, mine.workspaceId, { userId }, all)).toEqual({ total: 0, people: [] })
  await expect(scim.save(mine.scim, yours.workspaceId, person)).rejects.toThrow(NotPermitted)
  await expect(scim.forget(mine.scim, yours.workspaceId, userId)).rejects.toThrow(NotPermitted)
  expect(await workspaces.removeMember(mine.scim, yours.workspaceId, userId)).toBe(false)
  const member = callerOf('somebody', yours.workspaceId, 'member')
  await expect(scim.removeToken(member, yours.workspaceId)).rejects.toThrow(NotPermitted)
  expect(await scim.list(member, yours.workspaceId, { userName: 'yan' }, all)).toEqual({
    total: 0,
    people: [],
  })
  expect(await scim.list(yours.scim, yours.workspaceId, {}, all)).toMatchObject({
    people: [{ userId, isActive: true }],
  })
})
