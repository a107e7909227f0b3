import { newId } from '@flamegate/contract'
import { Conflict, NotPermitted } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { preparePeople, testCaller } from '../testing.ts'

const { at, ada, bob } = preparePeople()

const workspaces = () => at.stores.workspaces
const rolesOf = (userId: string) => at.stores.memberships.rolesOf(userId)
const caller = (userId: string, workspaceId: string) => testCaller(userId, { [workspaceId]: 'owner' })
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

async function made(): Promise<string> {
  const id = newId('workspace')
  await workspaces().create(testCaller(ada.userId, {}), { id, slug: id.replace('_', '-'), name: 'Made' })
  await at.admin.query("INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, 'member')", [
    id,
    bob.userId,
  ])
  return id
}

test('create() makes the caller owner; a slug is of one workspace', async () => {
  const id = await made()
  expect((await rolesOf(ada.userId)).get(id)).toBe('owner')
  await expect(
    workspaces().create(testCaller(ada.userId, {}), { id: newId('workspace'), slug: 'bob', name: 'B' }),
  ).rejects.toThrow(Conflict)
  await expect(workspaces().rename(caller(ada.userId, id), id, { name: 'N', slug: 'bob' })).rejects.toThrow(
    Conflict,
  )
  await workspaces().rename(caller(ada.userId, id), id, { name: 'N', slug: 'new-name' })
  expect(await workspaces().find(caller(ada.userId, id), id)).toMatchObject({ name: 'N', slug: 'new-name' })
})

test('transfer() changes both roles at once, and only for an owner', async () => {
  const id = await made()
  await expect(workspaces().transfer(caller(bob.userId, id), id, ada.userId)).rejects.toThrow(NotPermitted)
  await expect(workspaces().transfer(caller(ada.userId, id), id, 'usr_nobody')).rejects.toThrow(NotPermitted)
  await workspaces().transfer(caller(ada.userId, id), id, bob.userId)
  expect([(await rolesOf(ada.userId)).get(id), (await rolesOf(bob.userId)).get(id)]).toEqual([
    'admin',
    'owner',
  ])
})

test('leave() ends one’s own membership with the API tokens; of two owners who leave at once, one stays', async () => {
  const id = await made()
  await workspaces().leave(caller(bob.userId, id), id)
  expect((await rolesOf(bob.userId)).has(id)).toBe(false)
  await expect(workspaces().leave(caller(ada.userId, id), id)).rejects.toThrow(Conflict)
  const both = await made()
  await at.admin.query("UPDATE memberships SET role = 'owner' WHERE workspace_id = $1", [both])
  const outcomes = await Promise.allSettled(
    [ada, bob].map(({ userId }) => workspaces().leave(caller(userId, both), both)),
  )
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('setDeletion() is for owners: everybody only reads from then on, until it is called off', async () => {
  const id = await made()
  await expect(workspaces().setDeletion(caller(bob.userId, id), id, inDays(14))).rejects.toThrow(NotPermitted)
  await workspaces().setDeletion(caller(ada.userId, id), id, inDays(14))
  expect([(await rolesOf(ada.userId)).get(id), (await rolesOf(bob.userId)).get(id)]).toEqual([
    'viewer',
    'viewer',
  ])
  await expect(workspaces().setDeletion(caller(bob.userId, id), id, null)).rejects.toThrow(NotPermitted)
  await workspaces().setDeletion(caller(ada.userId, id), id, null)
  expect((await rolesOf(bob.userId)).get(id)).toBe('member')
})

test('the database deletes no workspace before its time, whoever asks', async () => {
  const id = await made()
  const remove = () => at.database.auth.query('DELETE FROM workspaces WHERE id = $1', [id])
  expect((await remove()).rowCount).toBe(0)
  await workspaces().setDeletion(caller(ada.userId, id), id, inDays(1))
  expect((await remove()).rowCount).toBe(0)
  await workspaces().setDeletion(caller(ada.userId, id), id, inDays(-1))
  expect((await remove()).rowCount).toBe(1)
})

test('nobody’s role is changed by whoever may lock it', async () => {
  const id = await made()
  await expect(
    at.database.asPerson(ada.userId, (client) =>
      client.query("UPDATE memberships SET role = 'viewer' WHERE workspace_id = $1", [id]),
    ),
  ).rejects.toThrow(NotPermitted)
})
