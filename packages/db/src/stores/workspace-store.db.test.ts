import { newId, type Caller } from '@flamegate/contract'
import { Conflict, NotPermitted } from '@flamegate/operations/ports'
import { describe, expect, test } from 'vitest'
import { preparePeople, testCaller } from '../testing.ts'

const { at, ada, bob, asAda, asBob } = preparePeople({ access: 'admin' })

const soon = () => new Date(Date.now() + 60_000)

async function invite(email: string, role: 'viewer' | 'member' | 'admin', tokenHash: string) {
  return at.stores.workspaces.invite(asAda(), ada.workspaceId, {
    id: newId('invitation'),
    email,
    role,
    tokenHash,
    expiresAt: soon(),
  })
}

describe('signing up', () => {
  test('makes the person owner of a first workspace', async () => {
    expect(await at.stores.memberships.rolesOf(ada.userId)).toEqual(new Map([[ada.workspaceId, 'owner']]))
    expect(await at.stores.workspaces.list(asAda('read'))).toEqual([
      {
        id: ada.workspaceId,
        slug: 'ada',
        name: 'Workspace of ada',
        plan: 'free',
        createdAt: expect.any(Date),
        deletesAt: null,
        role: 'owner',
      },
    ])
  })

  test('refuses an e-mail or a slug that is taken, and leaves nothing behind', async () => {
    const eve = { id: newId('user'), email: 'ada@example.com', name: 'Eve', passwordHash: 'hash' }
    const workspace = { id: newId('workspace'), slug: 'eve', name: 'Eve' }
    await expect(at.identity.createUser(eve, workspace)).rejects.toEqual(
      expect.objectContaining({ constructor: Conflict, field: 'email' }),
    )
    await expect(
      at.identity.createUser({ ...eve, email: 'eve@example.com' }, { ...workspace, slug: 'ada' }),
    ).rejects.toEqual(expect.objectContaining({ constructor: Conflict, field: 'slug' }))
    expect(await at.identity.findUserByEmail('eve@example.com')).toBeUndefined()
  })

  test('finds the person by e-mail and id, and shows others only what they may see', async () => {
    const found = await at.identity.findUserByEmail('ada@example.com')
    expect(found).toEqual({
      id: ada.userId,
      email: 'ada@example.com',
      name: 'ada',
      passwordHash: 'hash',
      emailVerifiedAt: null,
      createdAt: expect.any(Date),
      disabledAt: null,
    })
    expect(await at.identity.findUser(ada.userId)).toEqual(found)
    expect(await at.stores.users.findUser(ada.userId)).toEqual({
      id: ada.userId,
      email: 'ada@example.com',
      name: 'ada',
      emailVerifiedAt: null,
    })
    expect(await at.stores.users.findUser('usr_none')).toBeUndefined()
  })
})

test("find() does not show another person's workspace", async () => {
  expect(await at.stores.workspaces.find(asAda('read'), ada.workspaceId)).toMatchObject({ slug: 'ada' })
  expect(await at.stores.workspaces.find(asAda('read'), bob.workspaceId)).toBeUndefined()
  expect(await at.stores.workspaces.listMembers(asAda('read'), bob.workspaceId)).toEqual([])
})

describe('invitations', () => {
  test('are renewed for the same e-mail, and listed without their secret', async () => {
    const first = await invite('carol@example.com', 'viewer', 'hash 1')
    const renewed = await invite('carol@example.com', 'member', 'hash 2')
    expect(renewed).toMatchObject({ id: first.id, role: 'member' })
    const listed = await at.stores.workspaces.listInvitations(asAda('read'), ada.workspaceId)
    expect(listed).toEqual([
      {
        id: first.id,
        email: 'carol@example.com',
        role: 'member',
        invitedBy: ada.userId,
        createdAt: expect.any(Date),
        expiresAt: expect.any(Date),
      },
    ])
  })

  test('are accepted once, by the person they were meant for', async () => {
    const carol = await at.signUp('carol')
    expect(await at.identity.acceptInvitation(bob.userId, { tokenHash: 'hash 2' })).toBeUndefined()
    expect(await at.identity.acceptInvitation(carol.userId, { tokenHash: 'hash 1' })).toBeUndefined()
    expect(await at.identity.acceptInvitation(carol.userId, { tokenHash: 'hash 2' })).toEqual({
      workspaceId: ada.workspaceId,
      role: 'member',
    })
    expect(await at.identity.acceptInvitation(carol.userId, { tokenHash: 'hash 2' })).toBeUndefined()
    expect((await at.stores.memberships.rolesOf(carol.userId)).get(ada.workspaceId)).toBe('member')
    expect(await at.stores.workspaces.listMembers(asAda('read'), ada.workspaceId)).toMatchObject([
      { email: 'ada@example.com', role: 'owner' },
      { email: 'carol@example.com', name: 'carol', role: 'member', userId: carol.userId },
    ])
  })

  test('are given out for mailing once, and again when they are renewed', async () => {
    await at.identity.takeUnmailedInvitations()
    const { id, expiresAt } = await invite('nora@example.com', 'viewer', 'hash nora')
    const taken = await Promise.all([1, 2, 3].map(() => at.identity.takeUnmailedInvitations()))
    expect(taken.flat()).toEqual([{ id, email: 'nora@example.com', invitedBy: 'ada@example.com', expiresAt }])
    await invite('nora@example.com', 'viewer', 'hash nora again')
    expect(await at.identity.takeUnmailedInvitations()).toMatchObject([{ id }])
  })

  test('are accepted by their id once the address is confirmed, by its owner', async () => {
    const nora = await at.signUp('nora')
    const invited = await at.stores.workspaces.listInvitations(asAda('read'), ada.workspaceId)
    const invitation = invited.find(({ email }) => email === 'nora@example.com')
    const id = invitation?.id ?? ''
    expect(await at.identity.acceptInvitation(nora.userId, { id })).toBeUndefined()
    await at.identity.accounts.confirmEmail(bob.userId)
    expect(await at.identity.acceptInvitation(bob.userId, { id })).toBeUndefined()
    await at.identity.accounts.confirmEmail(nora.userId)
    expect(await at.identity.acceptInvitation(nora.userId, { id })).toEqual({
      workspaceId: ada.workspaceId,
      role: 'viewer',
    })
    expect(await at.stores.workspaces.removeMember(asAda(), ada.workspaceId, nora.userId)).toBe(true)
  })

  test('do not lower the role of somebody who is a member already', async () => {
    await invite('ada@example.com', 'viewer', 'hash ada')
    expect(await at.identity.acceptInvitation(ada.userId, { tokenHash: 'hash ada' })).toEqual({
      workspaceId: ada.workspaceId,
      role: 'owner',
    })
  })

  test('are not accepted late', async () => {
    await at.stores.workspaces.invite(asAda(), ada.workspaceId, {
      id: newId('invitation'),
      email: 'bob@example.com',
      role: 'viewer',
      tokenHash: 'hash late',
      expiresAt: new Date(Date.now() - 1),
    })
    expect(await at.identity.acceptInvitation(bob.userId, { tokenHash: 'hash late' })).toBeUndefined()
    expect(await at.stores.workspaces.listInvitations(asAda('read'), ada.workspaceId)).toEqual([])
  })

  test('are made and removed by admins only', async () => {
    const asMember = testCaller(bob.userId, { [ada.workspaceId]: 'member' })
    const invitation = {
      id: 'inv_1',
      email: 'x@example.com',
      role: 'viewer',
      tokenHash: 'x',
      expiresAt: soon(),
    } as const
    await expect(at.stores.workspaces.invite(asMember, ada.workspaceId, invitation)).rejects.toThrow(
      NotPermitted,
    )
    await expect(at.stores.workspaces.invite(asAda('write'), ada.workspaceId, invitation)).rejects.toThrow(
      NotPermitted,
    )
    await expect(at.stores.workspaces.invite(asAda('read'), ada.workspaceId, invitation)).rejects.toThrow(
      NotPermitted,
    )
    await expect(at.stores.workspaces.invite(asAda(), bob.workspaceId, invitation)).rejects.toThrow(
      NotPermitted,
    )
    const remove = (caller: Caller, workspaceId: string, email: string) =>
      at.stores.workspaces.removeInvitation(caller, workspaceId, email)
    await expect(remove(asMember, ada.workspaceId, 'bob@example.com')).rejects.toThrow(NotPermitted)
    expect(await remove(asAda(), ada.workspaceId, 'nobody@example.com')).toBe(false)
    expect(await remove(asAda(), ada.workspaceId, 'bob@example.com')).toBe(true)
    expect(await at.stores.workspaces.listInvitations(asAda(), ada.workspaceId)).toEqual([])
  })
})

describe('members', () => {
  test('keep at least one owner', async () => {
    await expect(at.stores.workspaces.setRole(asAda(), ada.workspaceId, ada.userId, 'admin')).rejects.toEqual(
      expect.objectContaining({ constructor: Conflict, field: 'role' }),
    )
    await expect(at.stores.workspaces.removeMember(asAda(), ada.workspaceId, ada.userId)).rejects.toThrow(
      Conflict,
    )
  })

  test('of two owners who both leave at once, one has to stay', async () => {
    const { userId, workspaceId } = await at.signUp('dora')
    const other = await at.signUp('emil')
    await at.stores.workspaces.invite(testCaller(userId, { [workspaceId]: 'owner' }), workspaceId, {
      id: newId('invitation'),
      email: 'emil@example.com',
      role: 'owner',
      tokenHash: 'hash emil',
      expiresAt: soon(),
    })
    await at.identity.acceptInvitation(other.userId, { tokenHash: 'hash emil' })
    const outcomes = await Promise.allSettled(
      [userId, other.userId].map((id) =>
        at.stores.workspaces.removeMember(testCaller(id, { [workspaceId]: 'owner' }), workspaceId, id),
      ),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('change roles by an admin only, and are missing to strangers', async () => {
    const fay = await at.signUp('fay')
    await invite('fay@example.com', 'viewer', 'hash fay')
    await at.identity.acceptInvitation(fay.userId, { tokenHash: 'hash fay' })
    const { workspaces } = at.stores
    const asFay = testCaller(fay.userId, { [ada.workspaceId]: 'viewer' })
    await expect(workspaces.setRole(asFay, ada.workspaceId, fay.userId, 'owner')).rejects.toThrow(
      NotPermitted,
    )
    await expect(workspaces.removeMember(asFay, ada.workspaceId, ada.userId)).rejects.toThrow(NotPermitted)
    expect(await workspaces.setRole(asAda(), ada.workspaceId, fay.userId, 'admin')).toMatchObject({
      role: 'admin',
      name: 'fay',
    })
    expect(await workspaces.setRole(asAda(), ada.workspaceId, 'usr_none', 'admin')).toBeUndefined()
    expect(await workspaces.setRole(asAda(), bob.workspaceId, bob.userId, 'viewer')).toBeUndefined()
    expect(await workspaces.removeMember(asAda(), bob.workspaceId, bob.userId)).toBe(false)
  })

  test('take their API tokens with them, for good', async () => {
    const gil = await at.signUp('gil')
    await invite('gil@example.com', 'member', 'hash gil')
    await at.identity.acceptInvitation(gil.userId, { tokenHash: 'hash gil' })
    await at.stores.apiTokens.create(testCaller(gil.userId, { [ada.workspaceId]: 'member' }, 'write'), {
      id: newId('apiToken'),
      workspaceId: ada.workspaceId,
      name: 'CI',
      prefix: 'fg_1',
      scopes: ['upload'],
      expiresAt: null,
      tokenHash: 'hash of the token of gil',
    })
    expect(await at.identity.findApiToken('hash of the token of gil')).toMatchObject({ userId: gil.userId })
    expect(await at.stores.workspaces.removeMember(asAda(), ada.workspaceId, gil.userId)).toBe(true)
    expect(await at.identity.findApiToken('hash of the token of gil')).toBeUndefined()
    await invite('gil@example.com', 'member', 'hash gil again')
    await at.identity.acceptInvitation(gil.userId, { tokenHash: 'hash gil again' })
    expect(await at.identity.findApiToken('hash of the token of gil')).toBeUndefined()
  })

  test('take an invitation with them that they did not need, and those of others stay', async () => {
    const { workspaces } = at.stores
    const hal = await at.signUp('hal')
    await invite('hal@example.com', 'member', 'hash hal')
    await at.identity.acceptInvitation(hal.userId, { tokenHash: 'hash hal' })
    await invite('hal@example.com', 'admin', 'hash hal again')
    await invite('ivo@example.com', 'member', 'hash ivo')
    await workspaces.invite(asBob(), bob.workspaceId, {
      id: newId('invitation'),
      email: 'hal@example.com',
      role: 'viewer',
      tokenHash: 'hash hal elsewhere',
      expiresAt: soon(),
    })
    expect(await workspaces.removeMember(asAda(), ada.workspaceId, hal.userId)).toBe(true)
    expect(await at.identity.acceptInvitation(hal.userId, { tokenHash: 'hash hal again' })).toBeUndefined()
    expect(await workspaces.listInvitations(asAda(), ada.workspaceId)).toMatchObject([
      { email: 'ivo@example.com' },
    ])
    expect(await workspaces.listInvitations(asBob(), bob.workspaceId)).toMatchObject([
      { email: 'hal@example.com' },
    ])
  })
})

test('usage() counts what is there', async () => {
  expect(await at.stores.workspaces.usage(asAda('read'), bob.workspaceId)).toEqual({
    projects: 0,
    runs: 0,
    results: 0,
    profiles: 0,
    storageBytes: 0,
    members: 0,
  })
  expect(await at.stores.workspaces.usage(asBob(), bob.workspaceId)).toEqual({
    projects: 0,
    runs: 0,
    results: 0,
    profiles: 0,
    storageBytes: 0,
    members: 1,
  })
})
