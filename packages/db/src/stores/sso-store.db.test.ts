import type { Caller, Role } from '@flamegate/contract'
import { NotPermitted, type SsoSettings } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { plainInvitation, prepareStores, testCaller } from '../testing.ts'

const at = prepareStores()

const settings = (workspaceId: string, changes: Partial<SsoSettings> = {}): SsoSettings => ({
  workspaceId,
  issuer: 'https://login.example',
  clientId: 'flamegate',
  sealedClientSecret: 'sealed',
  defaultRole: 'viewer',
  isRequired: false,
  ownersKeepOtherWays: true,
  workedAt: null,
  ...changes,
})

async function addOwner(name: string) {
  const { userId, workspaceId } = await at.signUp(name)
  return { userId, workspaceId, caller: callerOf(userId, workspaceId, 'owner') }
}

function callerOf(userId: string, workspaceId: string, role: Role): Caller {
  return testCaller(userId, { [workspaceId]: role }, 'admin')
}

/** Whether a session that begins now counts. */
async function counts(userId: string, ssoWorkspaceId?: string): Promise<boolean> {
  const tokenHash = `${userId} ${Math.random()}`
  const expiresAt = new Date(Date.now() + 60_000)
  await at.identity.createSession({ tokenHash, userId, expiresAt, userAgent: '', ssoWorkspaceId })
  return (await at.identity.findSession(tokenHash)) !== undefined
}

test('a domain is of the workspace that proved it, and of no other', async () => {
  const [one, two] = [await addOwner('ona'), await addOwner('tua')]
  const { sso } = at.stores
  const domain = 'taken.example'
  await sso.addDomain(one.caller, one.workspaceId, { domain, token: 'token of one' })
  await sso.addDomain(two.caller, two.workspaceId, { domain, token: 'token of two' })
  await sso.set(one.caller, settings(one.workspaceId))
  await sso.set(two.caller, settings(two.workspaceId))
  expect(await at.identity.sso.findByDomain(domain)).toBeUndefined()
  expect(await at.identity.sso.hasDomain(one.workspaceId, domain)).toBe(false)
  await sso.noteCheck(one.caller, one.workspaceId, domain, { method: 'dns' })
  expect(await at.identity.sso.findByDomain(domain)).toMatchObject({ workspaceId: one.workspaceId })
  await expect(sso.noteCheck(two.caller, two.workspaceId, domain, { method: 'dns' })).rejects.toMatchObject({
    field: 'domain',
  })
  expect(await at.identity.sso.hasDomain(two.workspaceId, domain)).toBe(false)
  // A name server that has its bad day takes nothing away.
  const checked = await sso.noteCheck(one.caller, one.workspaceId, domain, { failure: 'no record' })
  expect(checked).toMatchObject({ method: 'dns', failure: 'no record' })
  expect(await sso.removeDomain(one.caller, one.workspaceId, domain)).toBe(true)
  expect(await at.identity.sso.findByDomain(domain)).toBeUndefined()
})

test('only those who administer the workspace see and change it', async () => {
  const [owner, other] = [await addOwner('una'), await addOwner('vera')]
  const { sso } = at.stores
  await sso.set(owner.caller, settings(owner.workspaceId))
  await sso.addDomain(owner.caller, owner.workspaceId, { domain: 'una.example', token: 'token' })
  for (const caller of [other.caller, callerOf('somebody', owner.workspaceId, 'member')]) {
    expect(await sso.find(caller, owner.workspaceId)).toBeUndefined()
    expect(await sso.listDomains(caller, owner.workspaceId)).toEqual([])
    await expect(sso.set(caller, settings(owner.workspaceId))).rejects.toThrow(NotPermitted)
    await expect(sso.removeDomain(caller, owner.workspaceId, 'una.example')).rejects.toThrow(NotPermitted)
  }
})

test('it cannot be required before it worked', async () => {
  const { caller, workspaceId } = await addOwner('wim')
  await expect(at.stores.sso.set(caller, settings(workspaceId, { isRequired: true }))).rejects.toThrow(
    'workspace_sso_required_check',
  )
})

test('who comes in is a member, and the same person the next time; a removed member is forgotten', async () => {
  const [owner, colleague] = [await addOwner('xenia'), await addOwner('yara')]
  const { sso } = at.identity
  const identity = { workspaceId: owner.workspaceId, issuer: 'https://login.example', subject: 'yara' }
  await at.stores.sso.set(owner.caller, settings(owner.workspaceId))
  const entry = { ...identity, userId: colleague.userId, role: 'viewer' as const }
  expect(await sso.findPerson(identity)).toBeUndefined()
  expect(await sso.join(entry)).toEqual({ hasJoined: true })
  expect(await sso.join({ ...entry, role: 'admin' })).toEqual({ hasJoined: false })
  expect(await sso.findPerson(identity)).toBe(colleague.userId)
  expect(await at.stores.sso.listMemberIds(owner.caller, owner.workspaceId, identity.issuer)).toEqual([
    colleague.userId,
  ])
  expect((await at.stores.sso.find(owner.caller, owner.workspaceId))?.workedAt).toBeInstanceOf(Date)
  expect(await at.identity.listMemberships(colleague.userId)).toContainEqual(
    expect.objectContaining({ workspaceId: owner.workspaceId, role: 'viewer' }),
  )
  await expect(sso.join({ ...entry, userId: owner.userId })).rejects.toMatchObject({ field: 'subject' })
  await expect(sso.join({ ...entry, subject: 'another' })).rejects.toMatchObject({ field: 'issuer' })
  await at.stores.workspaces.removeMember(owner.caller, owner.workspaceId, colleague.userId)
  expect(await sso.findPerson(identity)).toBeUndefined()
})

test('who comes in needs no invitation any more, so that none lets them in again later', async () => {
  const [owner, colleague] = [await addOwner('cleo'), await addOwner('dirk')]
  const { workspaceId } = owner
  await at.stores.sso.set(owner.caller, settings(workspaceId))
  await at.stores.workspaces.invite(owner.caller, workspaceId, plainInvitation('dirk@example.com'))
  await at.stores.workspaces.invite(owner.caller, workspaceId, plainInvitation('other@example.com'))
  const identity = { workspaceId, issuer: 'https://login.example', subject: 'dirk', userId: colleague.userId }
  await at.identity.sso.join({ ...identity, role: 'viewer' })
  expect(await at.stores.workspaces.listInvitations(owner.caller, workspaceId)).toMatchObject([
    { email: 'other@example.com' },
  ])
})

test('where it is required, sessions of members count only if it let them in', async () => {
  const [owner, member] = [await addOwner('zoe'), await addOwner('abe')]
  const { workspaceId } = owner
  const domain = 'required.example'
  await at.database.asAuth((client) =>
    client.query(`UPDATE users SET email = lower(id) || '@${domain}' WHERE id IN ($1, $2)`, [
      owner.userId,
      member.userId,
    ]),
  )
  await at.stores.sso.addDomain(owner.caller, workspaceId, { domain, token: 'token' })
  await at.stores.sso.noteCheck(owner.caller, workspaceId, domain, { method: 'dns' })
  const required = settings(workspaceId, { isRequired: true, workedAt: new Date() })
  await at.stores.sso.set(owner.caller, required)
  // No member: a domain alone takes nobody's password away.
  expect(await counts(member.userId)).toBe(true)
  await at.identity.sso.join({
    workspaceId,
    issuer: required.issuer,
    subject: 'abe',
    userId: member.userId,
    role: 'member',
  })
  expect(await counts(member.userId)).toBe(false)
  expect(await counts(member.userId, 'ws_of_another')).toBe(false)
  expect(await counts(member.userId, workspaceId)).toBe(true)
  expect(await at.identity.sso.findRequired(member.userId)).toMatchObject({ workspaceId })
  // Owners come in as before, until they say otherwise.
  expect(await counts(owner.userId)).toBe(true)
  await at.stores.sso.set(owner.caller, { ...required, ownersKeepOtherWays: false })
  expect(await counts(owner.userId)).toBe(false)
  // The domain is given up: everybody logs in as before.
  await at.stores.sso.removeDomain(owner.caller, workspaceId, domain)
  expect(await counts(owner.userId)).toBe(true)
})
